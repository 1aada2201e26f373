/*
 * The body of an event as it is stored: without what other columns hold and without the names of its fields, because bodies are most of
 * what an event adds to the write-ahead log. Control characters that JSON never contains stand for what was left out. Every attempt sends
 * the same bytes, since neither the stored text nor these columns change; migration 0045 moves the transcripts into the body before their
 * call goes.
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

/**
 * The texts between the values of an event, in their order. In a stored body the character at the same index of `partMarks` stands for each,
 * so a part must never be changed or moved; new ones go to the end.
 */
const parts = [
  '{"event":"call.completed","org_id":"\u0005","data":{"call_id":"\u0004","call_session_id":"\u0004","campaign_id":',
  ',"contact_id":',
  ',"agent_id":"\u0006","agent_name":"',
  '","direction":"outbound","phone":"',
  '","status":"',
  '","duration_sec":',
  ',"attempt":',
  ',"summary":',
  ',"recording_url":',
  ',"caller_number":',
  ',"callee_number":"',
  '","caller_name":',
  ',"caller_email":',
  ',"channel":"',
  '","disconnect_reason":',
  ',"cost_total":',
  ',"call_latency_ms":',
  ',"started_at":"',
  '","ended_at":"',
  '","created_at":"',
  '","post_call_analysis":',
] as const;
/** Without tab, line feed and carriage return, which JSON may contain between its values, as a caller's metadata does. */
const partMarks =
  '\u0008\u000b\u000c\u000e\u000f\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f';
const markedParts: ReadonlyMap<string, string> = new Map(parts.map((part, index) => [partMarks[index]!, part]));
const somePartMark = new RegExp(`[${partMarks}]`, 'gu');

/** Replaces each part by its mark. Looks for a part only after the previous one, so that the text is read once. */
function withoutParts(text: string): string {
  let [short, done] = ['', 0];
  for (const [mark, part] of markedParts) {
    const at = text.indexOf(part, done);
    if (at === -1) continue;
    short += text.slice(done, at) + mark;
    done = at + part.length;
  }
  return short + text.slice(done);
}

const withParts = (short: string): string => short.replace(somePartMark, (mark) => markedParts.get(mark)!);

/** Shortens the text of a body, which has `transcriptsMark` in place of the transcripts if the call's row holds them. */
export function shortBody(text: string, columns: BodyColumns): string {
  const start = text.includes(transcriptsMark) ? withoutTranscripts : shortened;
  return start + withoutParts(names.reduce((short, name) => short.replaceAll(columns[name], marks[name]), text));
}

/** `transcripts`: the JSON in the call's row, which not every body needs; null if there is no such row. */
export type StoredBody = BodyColumns & { body: string; transcripts: string | null };

/** The exact text of a stored body. */
export function wholeBody(stored: StoredBody): string {
  const { body, transcripts } = stored;
  if (!body.startsWith(shortened) && !body.startsWith(withoutTranscripts)) return body;
  const parted = withParts(body.slice(1));
  const text = names.reduce((whole, name) => whole.replaceAll(marks[name], () => stored[name]), parted);
  if (transcripts === null || !body.startsWith(withoutTranscripts)) return text;
  return text.replace(transcriptsMark, () => transcripts);
}
