import { pino, type Logger } from 'pino';

export type Log = Logger;

/** One JSON object a line on standard error; standard output belongs to what a command was asked to print. */
export function createLog(level: string, destination: NodeJS.WritableStream = process.stderr): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: ['*.api_key', '*.password', '*.secret', '*.sip_password'],
    },
    destination,
  );
}
