import type { TranscriptEntry } from '../../call.ts';

/**
 * How much of a conversation is kept, as JSON: half as much again as two hours of talking make, the longest that a call may last. A
 * list of calls carries all of theirs, and no answer can be longer than a string.
 */
const maxTranscriptBytes = 524_288;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The new entries that find room beside those there are; one that is there already takes none. */
export function fitting(known: readonly TranscriptEntry[], entries: readonly TranscriptEntry[]): TranscriptEntry[] {
  const ids = new Set(known.map(({ id }) => id));
  let bytes = bytesOf(known);
  return entries.filter((entry) => {
    if (ids.has(entry.id)) return true;
    const more = bytesOf(entry) + 1;
    if (bytes + more > maxTranscriptBytes) return false;
    bytes += more;
    return true;
  });
}
