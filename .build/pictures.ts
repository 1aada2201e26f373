import { callStates, callStatuses } from '../src/features/calls/call.ts';
import { type CallingWindow, isOpen } from '../src/features/campaigns/schedule/window.ts';
import { probeDelayMs, retryDelayMs } from '../src/features/webhooks/retry.ts';
import { arrow, dot, drawing, line, named, rect, text } from './pictures-svg.ts';

const hourMs = 3_600_000;
const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Rows of a week in UTC: dark where the window is open, as the dialer decides it. */
function week(): string {
  const windowDays = [1, 2, 3, 4, 5];
  const office = { windowStart: '09:00', windowEnd: '17:00', windowDays };
  const rows: ReadonlyArray<readonly [string, CallingWindow]> = [
    ['Berlin, 9 to 17', { ...office, timezone: 'Europe/Berlin' }],
    ['New York, 9 to 17', { ...office, timezone: 'America/New_York' }],
    ['Berlin, 22 to 6', { windowStart: '22:00', windowEnd: '06:00', windowDays: [5], timezone: 'Europe/Berlin' }],
  ];
  const monday = Temporal.Instant.from('2026-03-02T00:00:00Z').epochMilliseconds;
  const [left, wide] = [140, 4];
  const parts = days.flatMap((day, index) => [
    line(left + index * 24 * wide, 24, left + index * 24 * wide, 150, 'grid'),
    text(left + (index * 24 + 12) * wide, 18, day, 'quiet mid'),
  ]);
  rows.forEach(([name, window], row) => {
    parts.push(text(8, 54 + row * 40, name));
    for (let hour = 0; hour < 7 * 24; hour += 1)
      if (isOpen(window, monday + hour * hourMs))
        parts.push(rect(left + hour * wide, 38 + row * 40, wide, 24, 'open').replace(' rx="3"', ''));
  });
  parts.push(
    text(left, 168, 'A week in UTC. The third window opens on Fridays (windowDays 5) and ends on Saturday.', 'quiet'),
  );
  return drawing(left + 7 * 24 * wide + 12, 180, 'When contacts in Berlin and New York may be called in a week', parts);
}

const spelled = (ms: number): string =>
  ms < 60_000 ? `${ms / 1000} s` : ms < hourMs ? `${ms / 60_000} min` : `${ms / hourMs} h`;

/** The attempts of a delivery that always fails; distances are not to scale. */
function deliverySchedule(): string {
  const hints = { retryAfterMs: null, jitter: 0 };
  const delays: number[] = [];
  for (let failures = 1; retryDelayMs(failures, hints) !== null; failures += 1)
    delays.push(retryDelayMs(failures, hints)!);
  const all = [...delays, probeDelayMs];
  const [left, step, y] = [40, 118, 70];
  const parts = [line(left, y, left + all.length * step, y)];
  for (let attempt = 0; attempt <= all.length; attempt += 1) {
    const x = left + attempt * step;
    parts.push(dot(x, y, attempt === all.length ? 'bad' : 'mark'), text(x, y + 28, `attempt ${attempt + 1}`, 'mid'));
    if (attempt < all.length) parts.push(text(x + step / 2, y - 12, spelled(all[attempt]!), 'quiet mid'));
  }
  const paused = left + delays.length * step;
  parts.push(
    rect(paused, 24, step, 14, 'box'),
    text(paused + step / 2, 16, 'failing: others are held', 'quiet mid'),
    text(left + all.length * step, y + 46, 'else exhausted', 'quiet mid'),
  );
  return drawing(left + all.length * step + 70, 130, 'Attempts of a webhook delivery that fails each time', parts);
}

function callLife(): string {
  const [wide, gap, y] = [108, 34, 40];
  const at = (index: number): number => 12 + index * (wide + gap);
  const last = callStates.length - 1;
  const parts = callStates.flatMap((state, index) => [
    named(at(index), y, wide, 36, state),
    ...(index < last ? [arrow(at(index) + wide, y + 18, at(index + 1) - 2, y + 18)] : []),
  ]);
  const notes = [
    'waits for its turn',
    'handed to the carrier',
    'the telephone rings',
    'somebody has answered',
    'status is one of:',
  ];
  notes.forEach((note, index) => parts.push(text(at(index) + wide / 2, y + 56, note, 'quiet mid')));
  callStatuses.forEach((status, index) => parts.push(text(at(last) + wide / 2, y + 76 + index * 18, status, 'mid')));
  parts.push(
    text(12, y + 100, 'From each state a call may end: hang-up, refusal, time-out.', 'quiet'),
    text(12, y + 120, 'The end, what follows for the campaign, and the webhook are one transaction.', 'quiet'),
  );
  return drawing(at(last) + wide + 12, y + 172, 'The life of a call', parts);
}

/** `ports`: of signalling and of sound, from the defaults of the settings. */
function nat(ports: { sip: number; from: number; to: number }): string {
  const parts = [
    named(20, 50, 130, 90, 'parley'),
    named(270, 30, 130, 130, 'router (NAT)'),
    named(540, 50, 130, 90, 'trunk'),
    arrow(150, 75, 268, 75),
    arrow(400, 75, 538, 75),
    arrow(538, 120, 402, 120),
    arrow(268, 120, 152, 120),
    text(210, 66, 'INVITE', 'quiet mid'),
    text(470, 66, 'INVITE', 'quiet mid'),
    text(470, 138, 'sound', 'quiet mid'),
    text(210, 138, 'sound', 'quiet mid'),
    text(
      20,
      190,
      'sip.advertised_host: the public address of the router. parley names it in Contact and in the session description.',
    ),
    text(
      20,
      212,
      `Forward unchanged: UDP and TCP ${ports.sip}, UDP ${ports.from} to ${ports.to}. A trunk may send sound from any address.`,
    ),
  ];
  return drawing(860, 232, 'How a call passes a router', parts);
}

/** `drawn`: the drawing of the layers in docs/architecture.md, made from the imports. */
function architecture(drawn: string): string {
  const rows = [...drawn.split('Features')[0]!.matchAll(/^ +(\w+) +(?:→ ([\w, ]+?))? {2,}(\S.*)$/gm)];
  const height = 30;
  const parts = rows.flatMap(([, name, below, what], index) => [
    named(12, 12 + index * height, 130, height - 6, name!),
    text(156, 29 + index * height, what!),
    text(620, 29 + index * height, below ? `→ ${below.trim()}` : '', 'quiet'),
  ]);
  return drawing(900, 24 + rows.length * height, 'The layers of parley; each imports only from those below it', parts);
}

export type PictureSources = { sip: number; from: number; to: number; layers: string };

/** The pictures of docs/pictures by their file name. */
export const pictures = ({ layers, ...ports }: PictureSources): Readonly<Record<string, string>> => ({
  'architecture.svg': architecture(layers),
  'call-life.svg': callLife(),
  'delivery-schedule.svg': deliverySchedule(),
  'nat.svg': nat(ports),
  'week.svg': week(),
});
