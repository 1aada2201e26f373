/**
 * Time zones as arithmetic. Temporal knows the rules; asking it costs microseconds, so what it said is kept per zone:
 * a zone's offset is constant between two transitions, and the dialer asks about the same few spans at every tick.
 */

/** The zone's UTC offset during `[fromMs, untilMs)`; the first and the last span of a zone reach to the ends of time. */
type OffsetSpan = { fromMs: number; untilMs: number; offsetMs: number };

/** IANA has about 600 names and links; the rest of the room is for odd spellings, which callers may send without end. */
const maxNames = 1024;
/** Now, the coming season and the one after are all that live work touches; a plan or a test clock may add one. */
const maxSpansPerZone = 4;
/** How far Temporal reaches from 1970, either way. A finite end of time makes a senseless instant an error, not a hit. */
const endOfTimeMs = 8.64e15;
/** The longest IANA name has 32 letters. */
const maxNameLength = 64;

const spansByZone = new Map<string, OffsetSpan[]>();
const verdicts = new Map<string, boolean>();

/** Puts an entry into a map that forgets its oldest one when it is full. */
function keep<T>(map: Map<string, T>, key: string, value: T): T {
  const [oldest] = map.size < maxNames ? [] : map.keys();
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
  return value;
}

/**
 * Whether this is the name of an IANA zone or of a link to one, in any case (`Europe/Berlin`, `us/pacific`, `UTC`).
 * Bare offsets such as `+02:00` are not: they have no daylight saving time, so they are nearly always a mistake.
 */
export function isTimeZone(name: string): boolean {
  if (name.length > maxNameLength) return false;
  return verdicts.get(name) ?? keep(verdicts, name, isNameOfZone(name));
}

/** Temporal also takes whole timestamps and offsets for a zone: a name begins with a letter and is answered as itself. */
function isNameOfZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId.toLowerCase() === name.toLowerCase();
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The span of constant UTC offset that holds an instant (Unix milliseconds): its local wall-clock time is
 * `atMs + offsetMs` read as if it were UTC.
 * @throws RangeError when there is no such zone (ask {@link isTimeZone} first) or the instant is beyond Temporal's range.
 */
export function offsetSpanAt(timezone: string, atMs: number): OffsetSpan {
  const known = spansByZone.get(timezone);
  if (known) for (const span of known) if (atMs >= span.fromMs && atMs < span.untilMs) return span;

  const span = readOffsetSpan(timezone, atMs);
  if (!known) keep(spansByZone, timezone, [span]);
  else {
    known.unshift(span);
    if (known.length > maxSpansPerZone) known.pop();
  }
  return span;
}

function readOffsetSpan(timezone: string, atMs: number): OffsetSpan {
  const at = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
  const next = at.getTimeZoneTransition('next');
  // "previous" means strictly before, and a transition at this very instant begins the span we are in.
  const previous = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  return {
    fromMs: previous?.epochMilliseconds ?? -endOfTimeMs,
    untilMs: next?.epochMilliseconds ?? endOfTimeMs,
    offsetMs: at.offsetNanoseconds / 1e6,
  };
}
