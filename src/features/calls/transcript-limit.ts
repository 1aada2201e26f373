import type { TranscriptEntry } from './call.ts';

/**
 * Largest stored size of one transcript as JSON: 1.5 times what two hours of talk, the longest call, need. Without this limit, a list of
 * calls with their transcripts could exceed the longest string that JavaScript can hold.
 */
const maxTranscriptBytes = 524_288;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Drops the entries that do not fit beside the stored ones. An entry that is stored already is kept and counts once. */
export function withinLimit(
  stored: readonly TranscriptEntry[],
  entries: readonly TranscriptEntry[],
): TranscriptEntry[] {
  const ids = new Set(stored.map(({ id }) => id));
  let bytes = bytesOf(stored);
  return entries.filter((entry) => {
    if (ids.has(entry.id)) return true;
    const added = bytesOf(entry) + 1; // and the comma before it
    if (bytes + added > maxTranscriptBytes) return false;
    bytes += added;
    return true;
  });
}
