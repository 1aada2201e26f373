import type { TranscriptEntry } from '../../call.ts';

/**
 * Stored size of one transcript as JSON: half as much again as two hours of talking, the longest call. Without a limit a list of calls,
 * which includes their transcripts, could outgrow the longest string that JavaScript can make.
 */
const maxTranscriptBytes = 524_288;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Drops the entries that would exceed the limit together with the stored ones. An entry that is stored already counts once. */
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
