/** The oldest Node that the packages run on; `engines` of package.json says the same. */
const OLDEST = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `Causeway needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}. The packages bring one: ` +
      'npm start, or node_modules/.bin/node in place of node.\n',
  );
  process.exit(1);
}
