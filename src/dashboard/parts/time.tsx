import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { serverNow, tick } from '../state/clock.ts';
import { zone } from '../state/preferences.ts';
import { common } from '../text/en.ts';
import { duration } from '../text/plural.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = timeZone + JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { timeZone, ...options });
  formats.set(key, format);
  return format;
}

const full: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
};

const exact: Intl.DateTimeFormatOptions = { ...full, second: '2-digit' };

/** Whether the zone is named already, in the heading of the column. */
export const ZoneInHeading = createContext(false);

/** Whether instants are told to the second, as among the facts of a thing. */
export const InSeconds = createContext(false);

/** An instant in the chosen zone, as text. */
const instantText = (iso: string, seconds: boolean, namesZone = true): string => {
  const { timeZoneName, ...rest } = seconds ? exact : full;
  return formatIn(zone.value, namesZone ? { ...rest, timeZoneName } : rest).format(Date.parse(iso));
};

const short: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
};

/** "Mon, 16 Nov, 09:00" in a zone that is named elsewhere. */
export const textIn = (iso: string, timeZone: string): string => formatIn(timeZone, short).format(Date.parse(iso));

const dayText: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' };
const dayLabel: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric' };
const hourLabel: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
const dayAndHourLabel: Intl.DateTimeFormatOptions = { weekday: 'short', ...hourLabel };
const secondLabel: Intl.DateTimeFormatOptions = { ...hourLabel, second: '2-digit' };
const [hourSec, daySec] = [3600, 86_400];

/** A step of time on an axis, with its day if the axis has several, and as the heading of its reading. */
export function stepText(
  atMs: number,
  stepSec: number,
  timeZone: string,
  namesDay = stepSec > hourSec,
): { label: string; title: string } {
  const day = formatIn(timeZone, dayText).format(atMs);
  if (stepSec >= daySec) return { label: formatIn(timeZone, dayLabel).format(atMs), title: day };
  const format = formatIn(timeZone, stepSec < 60 ? secondLabel : hourLabel);
  const [from, to] = [format.format(atMs), format.format(atMs + stepSec * 1000)];
  const label = namesDay ? formatIn(timeZone, dayAndHourLabel).format(atMs) : from;
  return { label, title: `${day}, ${from}–${to}` };
}

type InstantProps = {
  at: string | null | undefined;
  /** Shown where there is no instant. */
  none?: string;
  /** Adds how far it is from the server's present. */
  relative?: boolean;
  /** With seconds, where instants are compared. */
  seconds?: boolean;
};

/** An instant in the zone that the person chose, which is always named. */
export function Instant({ at, none = common.none, relative = false, seconds }: InstantProps) {
  const namesZone = !useContext(ZoneInHeading);
  const areExact = useContext(InSeconds);
  const inSeconds = seconds ?? areExact;
  if (at === null || at === undefined) return <>{none}</>;
  return (
    <time datetime={at} title={`${instantText(at, inSeconds)} (${zone.value})`}>
      {instantText(at, inSeconds, namesZone)}
      {relative && <Distance at={at} />}
    </time>
  );
}

function Distance({ at }: { at: string }) {
  void tick.value;
  const now = serverNow();
  return now === undefined ? null : <span class="quiet"> ({distanceText(Date.parse(at) - now)})</span>;
}

/** "in 2 h", "3 min ago"; coarse enough to change rarely. */
function distanceText(ms: number): string {
  const seconds = Math.abs(ms) / 1000;
  if (seconds < 5) return common.now;
  const unit = seconds < 60 ? 1 : seconds < 3600 ? 60 : seconds < 86_400 ? 3600 : 86_400;
  const whole = Math.round(seconds / unit) * unit;
  const span = unit === 86_400 ? days(whole / unit) : duration(whole);
  return ms > 0 ? common.in(span) : common.ago(span);
}

const days = (n: number): string =>
  new Intl.NumberFormat('en', { style: 'unit', unit: 'day', unitDisplay: 'long' }).format(n);

const parts: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
};

/** An instant on the clock of a zone, as inputs take it: 2026-03-02T09:00. */
export function wallTime(iso: string, timeZone: string): string {
  const found = new Map(
    formatIn(timeZone, parts)
      .formatToParts(Date.parse(iso))
      .map(({ type, value }) => [type, value]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): string => found.get(type) ?? '';
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}
