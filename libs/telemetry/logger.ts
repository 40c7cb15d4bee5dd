import { destination, type Logger, pino } from 'pino';

export type { Logger };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Members that must never be logged, wherever they turn up in what is logged. */
const SECRET_PATHS = [
  'authorization',
  'cookie',
  'arguments',
  'inputResponses',
  'requestState',
  'token',
  'secret',
  'password',
  'headers',
].flatMap((name) => [name, `*.${name}`]);

/** Pino's JSON lines on stderr; stdout is left to what an operator asked for. */
export function createLogger(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_PATHS, censor: '[hidden]' },
    },
    destination({ fd: 2, sync: true }),
  );
}
