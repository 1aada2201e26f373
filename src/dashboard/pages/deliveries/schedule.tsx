import type { ComponentChildren } from 'preact';
import type { WebhookDeliveryInDetail } from '../../client.ts';
import { Figure } from '../../parts/chart.tsx';
import { useReading } from '../../parts/few/reading.ts';
import { Sample } from '../../parts/status.tsx';
import { Instant, textIn } from '../../parts/time.tsx';
import { serverNow, tick } from '../../state/clock.ts';
import { zone } from '../../state/preferences.ts';
import { deliveries } from '../../text/deliveries.ts';
import { common } from '../../text/en.ts';
import { duration } from '../../text/plural.ts';

/** The pauses between attempts grow from seconds to hours, so the time since the delivery was made is drawn by its logarithm. */
const unitMs = 5000;
const minSpanMs = 60_000;
const ticksSec = [10, 60, 600, 3600, 21_600, 86_400, 604_800];

/** Room at both ends of the line, in percent. */
const [startPercent, widthPercent] = [3, 90];

function scaleTo(spanMs: number): (sinceMs: number) => string {
  const whole = Math.log1p(spanMs / unitMs);
  return (sinceMs) => `${startPercent + (Math.log1p(Math.max(sinceMs, 0) / unitMs) / whole) * widthPercent}%`;
}

/** The attempts of a delivery on its schedule: those made, those to come if each fails, and the present between them. */
export function Schedule({ delivery }: { delivery: WebhookDeliveryInDetail }) {
  void tick.value;
  const { attempts, schedule, created_at: createdAt } = delivery;
  if (attempts.length + schedule.length === 0) return null;
  const since = (at: string): number => Date.parse(at) - Date.parse(createdAt);
  const all = [...attempts.map(({ at }) => at), ...schedule].map(since);
  const spanMs = Math.max(minSpanMs, ...all);
  const x = scaleTo(spanMs);
  const now = serverNow();
  const nowMs = now === undefined ? undefined : now - Date.parse(createdAt);
  const points = pointsOf(delivery);
  return (
    <Figure
      name={deliveries.onSchedule}
      figures={{
        rows: points,
        rowKey: ({ number }) => String(number),
        columns: [
          { name: deliveries.attempt, cell: ({ number }) => number },
          { name: deliveries.time, cell: ({ at }) => <Instant at={at} seconds />, instants: true },
          { name: deliveries.result, cell: ({ result }) => result },
        ],
      }}
    >
      <Line points={points} x={(at) => Number.parseFloat(x(since(at)))}>
        <svg class="schedule" aria-hidden="true">
          <line class="axis" x1="0" x2="100%" y1="20" y2="20" />
          {ticksSec
            .filter((seconds) => seconds * 1000 <= spanMs)
            .map((seconds) => (
              <g key={seconds}>
                <line class="axis" x1={x(seconds * 1000)} x2={x(seconds * 1000)} y1="14" y2="26" />
                <text x={x(seconds * 1000)} y="44">
                  {duration(seconds)}
                </text>
              </g>
            ))}
          {nowMs !== undefined && nowMs <= spanMs && <line class="now" x1={x(nowMs)} x2={x(nowMs)} y1="2" y2="38" />}
          {attempts.map(({ number, at, error }) => (
            <svg key={number} x={x(since(at))} y="20" class="attempt">
              {error === null ? <circle class="delivered" r="6" /> : <path class="refused" d="M-8 0 0-8 8 0 0 8Z" />}
            </svg>
          ))}
          {schedule.map((at) => (
            <circle key={at} class="coming" cx={x(since(at))} cy="20" r="6" />
          ))}
        </svg>
      </Line>
      <p class="legend" aria-hidden="true">
        <Sample shape="disc" tone="good" name={deliveries.legend.delivered} />
        <Sample shape="diamond" tone="bad" name={deliveries.legend.failed} />
        <Sample shape="ring" tone="live" name={deliveries.legend.coming} />
        <span>{deliveries.legend.scale}</span>
      </p>
    </Figure>
  );
}

type Point = { number: number; at: string; result: string };

function pointsOf({ attempts, schedule }: WebhookDeliveryInDetail): Point[] {
  const made = attempts.map(({ number, at, error }) => ({ number, at, result: error ?? deliveries.legend.delivered }));
  const next = (made.at(-1)?.number ?? 0) + 1;
  return [...made, ...schedule.map((at, index) => ({ number: next + index, at, result: deliveries.legend.coming }))];
}

type LineProps = {
  points: readonly Point[];
  /** Where an instant stands, in percent. */
  x(at: string): number;
  children: ComponentChildren;
};

/** Pointer and arrow keys read an attempt. */
function Line({ points, x, children }: LineProps) {
  const textAt = (index: number): string => {
    const { number, at, result } = points[index]!;
    return deliveries.reading(number, common.inZone(textIn(at, zone.value), zone.value), result);
  };
  const { at, text, attributes } = useReading({ name: deliveries.onSchedule, count: points.length, textAt });
  const onPointerMove = ({ clientX, currentTarget }: PointerEvent): void => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect();
    const share = ((clientX - left) / width) * 100;
    const distances = points.map((point) => Math.abs(x(point.at) - share));
    at.value = distances.indexOf(Math.min(...distances));
  };
  return (
    <div class="read" {...attributes} onPointerMove={onPointerMove} onPointerDown={onPointerMove}>
      {children}
      <p class="reading small">{text}</p>
    </div>
  );
}
