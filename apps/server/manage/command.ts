import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { type ManageContext, ManageError } from './context.js';

/** What stands behind a command on the line. */
export interface Arguments {
  readonly positionals: readonly string[];
  readonly text: (option: string) => string | undefined;
  /** @throws ManageError when it is missing */
  readonly required: (option: string) => string;
  readonly list: (option: string) => readonly string[];
  readonly flag: (option: string) => boolean;
}

export interface Command {
  /** As it is typed, with what follows in capitals. */
  readonly usage: string;
  readonly meaning: string;
  readonly options?: ParseArgsOptionsConfig;
  /** How many words follow the command. */
  readonly words: readonly [least: number, most: number];
  /** Returns what to print. */
  run(context: ManageContext, given: Arguments): Promise<string>;
}

/** @throws ManageError when the arguments are not the command's */
export function readArguments(
  { usage, options = {}, words: [least, most] }: Command,
  args: readonly string[],
): Arguments {
  const { values, positionals } = parse(args, options, usage);
  if (positionals.length < least || positionals.length > most) throw new ManageError(`Usage: ${usage}`);
  const text = (option: string): string | undefined => {
    const value = values[option];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    positionals,
    text,
    required: (option) => {
      const value = text(option);
      if (value === undefined) throw new ManageError(`--${option} is missing. Usage: ${usage}`);
      return value;
    },
    list: (option) => {
      const value = values[option];
      return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
    },
    flag: (option) => values[option] === true,
  };
}

function parse(args: readonly string[], options: ParseArgsOptionsConfig, usage: string) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new ManageError(`${error instanceof Error ? error.message : String(error)}\nUsage: ${usage}`);
  }
}
