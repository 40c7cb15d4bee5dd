import { ACCOUNT_COMMANDS } from './account.commands.js';
import { type Command, readArguments } from './command.js';
import { type ManageContext, ManageError } from './context.js';
import { CREDENTIAL_COMMANDS } from './credential.commands.js';
import { TENANT_COMMANDS } from './tenant.commands.js';

/** By the two words that name them. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ...TENANT_COMMANDS,
  ...ACCOUNT_COMMANDS,
  ...CREDENTIAL_COMMANDS,
};

/** A command as it was typed. @throws ManageError when there is no such command, or its arguments are wrong */
export function readCommand(args: readonly string[]): (context: ManageContext) => Promise<string> {
  const [noun = '', verb = '', ...rest] = args;
  const name = `${noun} ${verb}`;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new ManageError(`${noun === '' ? '' : `There is no command "${name.trim()}".\n\n`}${usage()}`);
  const given = readArguments(command, rest);
  return (context) => command.run(context, given);
}

export function usage(): string {
  const lines = Object.values(COMMANDS).map((command) => `  ${command.usage}\n      ${command.meaning}`);
  return `npm run manage -- COMMAND, with the server's environment:\n\n${lines.join('\n')}`;
}
