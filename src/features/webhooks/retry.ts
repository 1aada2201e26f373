/** Delays after the 1st to 4th failed attempt of a delivery (docs/api/webhooks.md, "Retries"). */
const retryDelaysMs = [30_000, 120_000, 600_000, 3_600_000] as const;

/** How long after an endpoint was paused its probe runs: one more attempt of the delivery that paused it. */
export const probeDelayMs = 6 * 3_600_000;

/** Jitter adds up to this share of a delay. */
const maxJitterShare = 0.1;
/** `Retry-After` can lengthen a delay to at most this multiple of it. */
const maxRetryAfterFactor = 2;

/** Reasons to lengthen the scheduled delay. */
export type RetryHints = {
  /** `Retry-After` of a 429 or 503; null without one. */
  retryAfterMs: number | null;
  /** From 0 (no jitter, as under the test clock) to 1 (full jitter). */
  jitter: number;
};

/**
 * The delay after the n-th failed attempt, in whole milliseconds: at least the scheduled delay, at most twice as long. Null after the
 * fifth, when the schedule ends.
 */
export function retryDelayMs(failures: number, hints: RetryHints): number | null {
  const delayMs = retryDelaysMs[failures - 1];
  if (delayMs === undefined) return null;
  const jitteredMs = delayMs * (1 + maxJitterShare * hints.jitter);
  return Math.ceil(Math.min(Math.max(jitteredMs, hints.retryAfterMs ?? 0), delayMs * maxRetryAfterFactor));
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The three date formats that recipients must accept (RFC 9110, section 5.6.7): IMF-fixdate, RFC 850, asctime. */
const httpDates = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/** Parsed by hand because `Date.parse` accepts nearly any text, and reads asctime dates as local time. */
function parseHttpDate(text: string): number | null {
  const date = httpDates.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (!date) return null;
  const { day = '', month = '', year = '', time = '' } = date;
  const monthNumber = String(months.indexOf(month) + 1).padStart(2, '0');
  const fullYear = year.length === 2 ? `20${year}` : year;
  try {
    return Temporal.Instant.from(`${fullYear}-${monthNumber}-${day.trim().padStart(2, '0')}T${time}Z`)
      .epochMilliseconds;
  } catch {
    return null; // no such day or month; treated like a missing header
  }
}

/** The wait that a `Retry-After` header asks for, in milliseconds from now; null for a missing or malformed header. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = parseHttpDate(text);
  return at === null ? null : Math.max(0, at - nowMs);
}
