/*
 * The body of an event as it is stored: without what other columns hold, because bodies are most of what an event adds to the write-ahead
 * log. Control characters, which JSON does not contain, stand for what was left out. Every attempt sends the same bytes, since neither the
 * stored text nor these columns change; migration 0045 moves the transcripts into the body before their call goes.
 */

/** Begins a shortened body; any other body is stored whole, as those of earlier releases are. */
const shortened = '\u0001';
/** Begins a shortened body whose transcripts are in the row of its call. */
const withoutTranscripts = '\u0002';

/** Stands for the transcripts. */
export const transcriptsMark = '\u0003';
const marks = { eventId: '\u0004', orgId: '\u0005', agentId: '\u0006', subject: '\u0007' } as const;

/** The columns of an event that its body repeats. */
export type BodyColumns = Record<keyof typeof marks, string>;

const names = Object.keys(marks) as Array<keyof typeof marks>;

/** Shortens the text of a body, which has `transcriptsMark` in place of the transcripts if the call's row holds them. */
export function shortBody(text: string, columns: BodyColumns): string {
  const start = text.includes(transcriptsMark) ? withoutTranscripts : shortened;
  return start + names.reduce((short, name) => short.replaceAll(columns[name], marks[name]), text);
}

/** `transcripts`: the JSON in the call's row; null if the body needs none. */
export type StoredBody = BodyColumns & { body: string; transcripts: string | null };

/** The exact text of a stored body. */
export function wholeBody(stored: StoredBody): string {
  const { body, transcripts } = stored;
  if (!body.startsWith(shortened) && !body.startsWith(withoutTranscripts)) return body;
  const text = names.reduce((whole, name) => whole.replaceAll(marks[name], () => stored[name]), body.slice(1));
  return transcripts === null ? text : text.replace(transcriptsMark, () => transcripts);
}
