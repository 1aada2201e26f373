/*
 * UTC offsets of time zones, cached. A call to Temporal costs microseconds, and a zone's offset is constant between two transitions, so
 * the dialer, which needs the same few spans at every tick, gets them from here.
 */

/** A zone's UTC offset during `[fromMs, untilMs)`. The first and the last span of a zone have no limit in time. */
type OffsetSpan = { fromMs: number; untilMs: number; offsetMs: number };

/** Bounds the caches: IANA has about 600 names and links, but callers may send any number of odd spellings. */
const maxNames = 1024;
/** Calls need the zone's current span and the next two; a campaign plan or a test clock may need one more. */
const maxSpansPerZone = 4;
/** How far Temporal's instants reach from 1970, in both directions. Finite, so that an instant beyond it is an error, not a cache hit. */
const endOfTimeMs = 8.64e15;
/** The longest IANA name has 32 characters. */
const maxNameLength = 64;

const spansByZone = new Map<string, OffsetSpan[]>();
const knownNames = new Map<string, boolean>();

/** Caches a value; a full map loses its oldest entry. */
function store<T>(map: Map<string, T>, key: string, value: T): T {
  const [oldest] = map.size < maxNames ? [] : map.keys();
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
  return value;
}

/**
 * Whether a text names an IANA zone or a link to one, in any case (`Europe/Berlin`, `us/pacific`, `UTC`). Offsets such as `+02:00` are
 * refused: they have no daylight saving time, so they are nearly always a mistake.
 */
export function isTimeZone(name: string): boolean {
  if (name.length > maxNameLength) return false;
  return knownNames.get(name) ?? store(knownNames, name, isZoneName(name));
}

/** Temporal also accepts timestamps and offsets as zones. A real name starts with a letter and comes back unchanged. */
function isZoneName(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId.toLowerCase() === name.toLowerCase();
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The span of constant UTC offset around an instant (Unix milliseconds). `atMs + offsetMs`, read as UTC, is the local wall-clock time.
 * @throws RangeError for an unknown zone (check {@link isTimeZone} first) or an instant beyond Temporal's range
 */
export function offsetSpanAt(timezone: string, atMs: number): OffsetSpan {
  const cached = spansByZone.get(timezone);
  if (cached) for (const span of cached) if (atMs >= span.fromMs && atMs < span.untilMs) return span;

  const span = readOffsetSpan(timezone, atMs);
  if (!cached) store(spansByZone, timezone, [span]);
  else {
    cached.unshift(span);
    if (cached.length > maxSpansPerZone) cached.pop();
  }
  return span;
}

function readOffsetSpan(timezone: string, atMs: number): OffsetSpan {
  const at = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone);
  const next = at.getTimeZoneTransition('next');
  // `previous` is strictly earlier, and a transition at this very instant starts the span: so look from 1 ms later.
  const previous = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  return {
    fromMs: previous?.epochMilliseconds ?? -endOfTimeMs,
    untilMs: next?.epochMilliseconds ?? endOfTimeMs,
    offsetMs: at.offsetNanoseconds / 1e6,
  };
}
