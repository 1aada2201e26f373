import type { RecordedExamples } from '../../src/http/docs/examples/recorded.ts';

/** Entries of a list that an example shows. */
const maxShown = 2;
/** Lines of a file that an example shows. */
const maxLines = 4;

/** Values that differ from run to run, and what the reference shows in their place. */
const secrets: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bpk_[A-Za-z0-9_-]{20,}/g, 'pk_…'],
  [/\bwhsec_[A-Za-z0-9+/=_-]{20,}/g, 'whsec_…'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJ…'],
  [/token=[\w-]{16,}/g, 'token=…'],
  // A UUID that is drawn, not counted: of a node or a request.
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g, '4f0c8a52-8d1c-4c2b-9a59-0d5cbe4a7f10'],
  [/\bv1,[A-Za-z0-9+/=]{40,}/g, 'v1,…'],
];

/** Fields that hold real time, a part of a key or the like, and what the reference shows in their place. */
const measured: Readonly<Record<string, unknown>> = {
  duration_ms: 4,
  prefix: 'pk_4f0c',
  next: 'eyJ…',
  request_id: '4f0c8a52-8d1c-4c2b-9a59-0d5cbe4a7f10',
  'webhook-timestamp': '1772442060',
  token: 'xK3v…',
  date: 'Mon, 02 Mar 2026 09:01:00 GMT',
};

/** The same for fields that only in this operation hold real time. */
const measuredIn: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ...Object.fromEntries(
    ['createConversation', 'createConversationTurn', 'getConversation', 'replayCall'].map((operation) => [
      operation,
      { first_token_ms: 12, total_ms: 20 },
    ]),
  ),
  getSystem: { version: '0.1.0', uptime_sec: 960, name: 'parley-1' },
};

/** Shortens lists and texts and replaces what differs from run to run. */
export function tidy(recorded: Record<string, unknown>, addresses: Readonly<Record<string, string>>): RecordedExamples {
  const textOf = (text: string): string => {
    let tidied = text;
    for (const [from, to] of Object.entries(addresses)) tidied = tidied.replaceAll(from, to);
    for (const [pattern, shown] of secrets) tidied = tidied.replaceAll(pattern, shown);
    const lines = tidied.split('\n');
    return lines.length > maxLines + 1 ? `${lines.slice(0, maxLines).join('\n')}\n…\n` : tidied;
  };
  const valueOf = (value: unknown, shown: Readonly<Record<string, unknown>>, name = ''): unknown => {
    const isPlain = typeof value === 'string' || typeof value === 'number';
    if (isPlain && Object.hasOwn(shown, name)) return shown[name];
    if (typeof value === 'string') return textOf(value);
    if (typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value))
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, valueOf(one, shown, key)]));
    const isOfObjects = typeof value[0] === 'object';
    return (isOfObjects ? value.slice(0, maxShown) : value).map((one) => valueOf(one, shown));
  };
  const examples = Object.entries(recorded).map(
    ([operation, one]) => [operation, valueOf(one, { ...measured, ...measuredIn[operation] })] as const,
  );
  return Object.fromEntries(examples.toSorted(([a], [b]) => (a < b ? -1 : 1))) as RecordedExamples;
}
