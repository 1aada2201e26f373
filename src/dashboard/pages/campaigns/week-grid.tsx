import type { ComponentChildren } from 'preact';
import type { CampaignZone } from '../../client.ts';
import { Figure } from '../../parts/chart.tsx';
import { useReading } from '../../parts/few/reading.ts';
import { Sample, Status } from '../../parts/status.tsx';
import { Instant } from '../../parts/time.tsx';
import { hourOfWeek, isZone } from '../../parts/wall-clock.ts';
import { serverNow, tick } from '../../state/clock.ts';
import { campaigns } from '../../text/campaigns.ts';
import { common } from '../../text/en.ts';
import { ZoneStrips } from './zone-strips.tsx';
import { type Bar, barsOf, clockChanges, clockTime, type ClockChange, type Window } from './week.ts';

/** Clock changes of this many days are marked. */
const daysAhead = 56;

const rowPx = 20;
/** Room for the names of the days, in percent. */
const labelPercent = 12;

type Props = Window & { timezone: string; zones?: readonly CampaignZone[] | undefined };

/** The week of a campaign on an hour grid in its zone: the window of each day whole, the present, and changes of clocks to come. */
export function WeekGrid({ timezone, zones = [], ...window }: Props) {
  void tick.value;
  if (!isZone(timezone)) return null;
  const now = serverNow();
  const bars = barsOf(window);
  const changes = now === undefined ? [] : clockChanges(timezone, now, daysAhead);
  const name = campaigns.weekIn(timezone);
  const days = common.dayNames.map((day, index) => ({ day, open: hoursText(bars, index + 1) }));
  return (
    <Figure
      name={name}
      figures={{
        rows: days,
        rowKey: ({ day }) => day,
        columns: [
          { name: common.weekday, cell: ({ day }) => day },
          { name: campaigns.weekOpen, cell: ({ open }) => open },
        ],
      }}
    >
      <Days name={name} days={days}>
        <Grid bars={bars} changes={changes} {...(now === undefined ? {} : { now: hourOfWeek(timezone, now) })} />
      </Days>
      <p class="legend">
        <span aria-hidden="true">
          <Sample shape="square" tone="live" name={campaigns.weekOpen} />
        </span>
        <span aria-hidden="true">
          <svg viewBox="0 0 12 12">
            <rect x="5" width="2" height="12" fill="currentColor" />
          </svg>
          {campaigns.weekNow}
        </span>
        {changes.length === 0 && <span>{campaigns.noClockChange(daysAhead / 7)}</span>}
      </p>
      {changes.map(({ at, forward }) => (
        <p key={at}>
          <Status value="warn">
            {forward ? campaigns.clocksForward : campaigns.clocksBack} <Instant at={at} />
          </Status>
        </p>
      ))}
      {now !== undefined && <ZoneStrips timezone={timezone} zones={zones} window={window} now={now} />}
    </Figure>
  );
}

/** When the window of a day opens and closes, as words. */
function hoursText(bars: readonly Bar[], weekday: number): string {
  const bar = bars.find(({ day }) => day === weekday);
  if (!bar) return campaigns.weekClosed;
  const { from, to } = bar;
  return to > 24
    ? campaigns.hoursIntoNextDay(clockTime(from), clockTime(to - 24))
    : campaigns.hoursOfDay(clockTime(from), clockTime(to));
}

type DaysProps = { name: string; days: ReadonlyArray<{ day: string; open: string }>; children: ComponentChildren };

/** Pointer and arrow keys read a day. */
function Days({ name, days, children }: DaysProps) {
  const textAt = (index: number): string => `${days[index]!.day}: ${days[index]!.open}`;
  const { at, text, attributes } = useReading({ name, count: days.length, width: 1, textAt });
  const onPointerMove = ({ clientY, currentTarget }: PointerEvent): void => {
    const index = Math.floor((clientY - (currentTarget as Element).getBoundingClientRect().top) / rowPx);
    at.value = index < days.length ? Math.max(0, index) : undefined;
  };
  return (
    <div class="read" {...attributes} onPointerMove={onPointerMove} onPointerDown={onPointerMove}>
      {children}
      <p class="reading small">{text}</p>
    </div>
  );
}

type GridProps = { bars: readonly Bar[]; changes: readonly ClockChange[]; now?: { day: number; hour: number } };

function Grid({ bars, changes, now }: GridProps) {
  const hours = Math.max(24, ...bars.map(({ to }) => Math.ceil(to)));
  const x = (hour: number): string => `${labelPercent + (hour / hours) * (100 - labelPercent)}%`;
  const width = (span: number): string => `${(span / hours) * (100 - labelPercent)}%`;
  const y = (day: number): number => (day - 1) * rowPx;
  const bottom = 7 * rowPx;
  const ticks = Array.from({ length: Math.floor(hours / 6) + 1 }, (_, index) => index * 6);
  return (
    <svg class="week" aria-hidden="true">
      {ticks.map((hour) => (
        <g key={hour}>
          <line class="axis" x1={x(hour)} x2={x(hour)} y1="0" y2={bottom} />
          {hour < hours && (
            <text x={x(hour)} y={bottom + 16}>
              {campaigns.hour(hour % 24)}
            </text>
          )}
        </g>
      ))}
      {common.dayNames.map((name, index) => (
        <text key={name} x="0" y={y(index + 1) + 15}>
          {name.slice(0, 3)}
        </text>
      ))}
      {bars.map(({ day, from, to }) => (
        <rect key={day} class="open" x={x(from)} width={width(to - from)} y={y(day) + 3} height={rowPx - 6} rx="3" />
      ))}
      {changes.map(({ at, day, hour }) => (
        <rect key={at} class="change" x={x(hour)} width="4" y={y(day)} height={rowPx} />
      ))}
      {now && <rect class="now" x={x(now.hour)} width="2" y={y(now.day)} height={rowPx} />}
    </svg>
  );
}
