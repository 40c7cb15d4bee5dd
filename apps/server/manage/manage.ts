import { ACCOUNT_COMMANDS } from './account.commands.js';
import { type Command, readArguments } from './command.js';
import { type ManageContext, ManageError } from './context.js';
import { CREDENTIAL_COMMANDS } from './credential.commands.js';
import { GRANT_COMMANDS } from './grant.commands.js';
import { KEY_COMMANDS } from './key.commands.js';
import { MEMBER_COMMANDS } from './member.commands.js';
import { nearest } from './nearest.js';
import { TENANT_COMMANDS } from './tenant.commands.js';

/** By the two words that name them. */
const COMMANDS: Readonly<Record<string, Command>> = {
  ...TENANT_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...MEMBER_COMMANDS,
  ...CREDENTIAL_COMMANDS,
  ...GRANT_COMMANDS,
  ...KEY_COMMANDS,
};
const NOUNS: ReadonlySet<string> = new Set(Object.keys(COMMANDS).map(nounOf));
const HELP: ReadonlySet<string> = new Set(['--help', '-h', 'help']);

/** What to print where help is asked for, by `--help` or by less than a whole command; undefined otherwise. */
export function helpFor(args: readonly string[]): string | undefined {
  const [noun = '', verb = ''] = args.filter((arg) => !HELP.has(arg));
  const asksForHelp = args.some((arg) => arg.startsWith('-') && HELP.has(arg)) || HELP.has(args[0] ?? '');
  if (noun === '' || (verb === '' && NOUNS.has(noun))) return usage(noun);
  if (!asksForHelp) return undefined;
  const command = find(noun, verb);
  return command ? linesOf(command) : usage(NOUNS.has(noun) ? noun : '');
}

/** A command as it was typed. @throws ManageError when there is no such command, or its arguments are wrong */
export function readCommand(args: readonly string[]): (context: ManageContext) => Promise<string> {
  const [noun = '', verb = '', ...rest] = args;
  const command = find(noun, verb);
  if (!command) throw unknown(noun, verb);
  const given = readArguments(command, rest);
  return (context) => command.run(context, given);
}

/** All commands, or those of one group. */
export function usage(noun = ''): string {
  const shown = Object.entries(COMMANDS).filter(([name]) => noun === '' || nounOf(name) === noun);
  const lines = shown.map(([, command]) => linesOf(command).replace(/^/gm, '  '));
  return `npm run -s manage -- COMMAND, with the server's environment:\n\n${lines.join('\n')}`;
}

function unknown(noun: string, verb: string): ManageError {
  const meant = nearest(`${noun} ${verb}`, Object.keys(COMMANDS));
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  const help = usage(NOUNS.has(noun) ? noun : '');
  return new ManageError(`There is no command "${`${noun} ${verb}`.trim()}".${hint}\n\n${help}`);
}

function find(noun: string, verb: string): Command | undefined {
  const name = `${noun} ${verb}`;
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

function linesOf({ usage: line, meaning }: Command): string {
  return `${line}\n    ${meaning}`;
}

function nounOf(name: string): string {
  return name.split(' ')[0] ?? '';
}
