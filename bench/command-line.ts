import { parseArgs } from 'node:util';

export interface CommandLine {
  readonly help: boolean;
  readonly quick: boolean;
  readonly only?: string;
  readonly json?: string;
}

/** @throws TypeError on an argument that is not known. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string' },
    },
  });
  return values;
}

export function usageText(names: readonly string[]): string {
  return `npm run bench -- [--quick] [--only NAME] [--json FILE]

  --quick      fewer and shorter passes; ends within three minutes
  --only NAME  one measure: ${names.join(', ')}
  --json FILE  where to write the results (default: bench/results/<time>.json)`;
}
