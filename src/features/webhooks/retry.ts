/**
 * When a failed delivery is tried again (interface, Limits; contract, section 11). The delays are a list because the documents
 * give one: after the 1st to 4th failure, then, once the endpoint is paused, the probe.
 */
const retryDelaysMs = [30_000, 120_000, 600_000, 3_600_000] as const;

/** How long a paused endpoint is left alone before the delivery that paused it is tried once more. */
export const probeDelayMs = 6 * 3_600_000;

/** Jitter adds at most this share of a delay. */
const jitterShare = 0.1;
/** A `Retry-After` makes a delay at most so many times as long. */
const longestFactor = 2;

/** What the endpoint's answer and chance have to say about the next delay. */
export type RetryHints = {
  /** What a 429 or 503 asked for in its `Retry-After`, in milliseconds; null when it asked for nothing. */
  retryAfterMs: number | null;
  /** From 0 (none, as under the test clock) up to 1. */
  jitter: number;
};

/**
 * How long to wait after the n-th failure of a delivery, in whole milliseconds: never less than the schedule's delay, never more
 * than twice of it. Null after the fifth: the schedule is used up.
 */
export function retryDelayMs(failures: number, hints: RetryHints): number | null {
  const delayMs = retryDelaysMs[failures - 1];
  if (delayMs === undefined) return null;
  const jitteredMs = delayMs * (1 + jitterShare * hints.jitter);
  return Math.ceil(Math.min(Math.max(jitteredMs, hints.retryAfterMs ?? 0), delayMs * longestFactor));
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The three forms that RFC 9110, section 5.6.7, asks recipients to read: IMF-fixdate, RFC 850, asctime. */
const httpDates = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** By hand because `Date.parse` takes nearly any text, and asctime's as local time. */
function instantOf(text: string): number | null {
  const date = httpDates.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (!date) return null;
  const { day = '', month = '', year = '', time = '' } = date;
  const monthNumber = String(months.indexOf(month) + 1).padStart(2, '0');
  const fullYear = year.length === 2 ? `20${year}` : year;
  try {
    return Temporal.Instant.from(`${fullYear}-${monthNumber}-${day.trim().padStart(2, '0')}T${time}Z`)
      .epochMilliseconds;
  } catch {
    return null; // there is no such day or month: as good as no header
  }
}

/** How long a `Retry-After` header asks to wait from now, in milliseconds; null for none and for nonsense. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = instantOf(text);
  return at === null ? null : Math.max(0, at - nowMs);
}
