import { readFileSync } from 'node:fs';

const logHeaderBytes = 32;
const frameHeaderBytes = 24;

/** Bytes in a database's write-ahead log since it was last started over (https://www.sqlite.org/fileformat.html, section 4). */
export function loggedBytes(databaseFile: string): number {
  const log = readFileSync(`${databaseFile}-wal`);
  if (log.length < logHeaderBytes) return 0;
  const frameBytes = frameHeaderBytes + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let at = logHeaderBytes;
  // Frames with other salts are left from before the log was started over.
  while (at + frameBytes <= log.length && log.subarray(at + 8, at + 16).equals(salts)) at += frameBytes;
  return at - logHeaderBytes;
}
