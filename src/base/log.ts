import { pino, type Logger } from 'pino';
import { formatLogLine } from './log-text.ts';

export type Log = Logger;

export type LogOptions = {
  /** `json` (the default) is for machines: one object per line. `text` is for people. */
  format?: 'json' | 'text';
  /** Default: standard error, because standard output is for what a command prints. */
  destination?: Pick<NodeJS.WritableStream, 'write'>;
};

/** Creates a log that writes lines of at least this level. */
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
    { write: (line: string) => void destination.write(format === 'text' ? formatLogLine(line) : line) },
  );
}
