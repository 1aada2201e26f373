import { pino, type Logger } from 'pino';
import { textOf } from './log-text.ts';

export type Log = Logger;

export type LogOptions = {
  /** `json`, the default: one object a line, for machines. `text`: a line for people. */
  format?: 'json' | 'text';
  /** Standard error; standard output belongs to what a command was asked to print. */
  destination?: Pick<NodeJS.WritableStream, 'write'>;
};

/** Writes what is at least as severe as `level`. */
export function createLog(level: string, options: LogOptions = {}): Log {
  const { format = 'json', destination = process.stderr } = options;
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['*.api_key', '*.password', '*.secret', '*.sip_password'],
    },
    { write: (line: string) => void destination.write(format === 'text' ? textOf(line) : line) },
  );
}
