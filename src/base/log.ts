import { pino, type Logger } from 'pino';
import { isoOf, realTimeMs } from './clock.ts';
import { createLogBuffer, flushAtEnd } from './log-buffer.ts';
import { formatLogLine } from './log-text.ts';

export type Log = Logger;

export type LogOptions = {
  /** `json` is for machines: one object per line. `text` is for people. `auto` (the default): text on a terminal, else JSON. */
  format?: 'auto' | 'json' | 'text';
  /**
   * Default: standard error, because standard output is for the results of commands. Lines to standard error are written together once per
   * tick of the event loop.
   */
  destination?: { write(line: string): unknown };
};

/** Creates a log that writes lines of at least this level. */
export function createLog(level: string, options: LogOptions = {}): Log {
  const { format = 'auto', destination = { write: addToStandardError } } = options;
  const isText = format === 'text' || (format === 'auto' && options.destination === undefined && process.stderr.isTTY);
  return pino(
    {
      level,
      base: null,
      // Twice as fast as pino's `isoTime`, which makes a Date for each line.
      timestamp: () => `,"time":"${isoOf(realTimeMs())}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['*.api_key', '*.password', '*.secret', '*.sip_password'],
    },
    { write: (line: string) => void destination.write(isText ? formatLogLine(line) : line) },
  );
}

const standardError = createLogBuffer((text) => void process.stderr.write(text));
let isFlushedAtEnd = false;

/** Handles signals only from the first line on, since commands that log nothing need no handlers. */
function addToStandardError(line: string): void {
  if (!isFlushedAtEnd) flushAtEnd(() => standardError.flush());
  isFlushedAtEnd = true;
  standardError.add(line);
}
