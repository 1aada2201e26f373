import { isoOf } from '../base/clock.ts';
import { invalid, invalidAt } from '../base/errors.ts';
import { unguarded } from '../db/transaction.ts';
import { bind, operation, type Route } from '../kernel/route.ts';
import { integer, object, optional, timestamp, Type } from '../kernel/schema.ts';

export type ClockControl = {
  /** Moves the clock to the time that `target` says when its turn has come, from the time (Unix ms) at which the clock then stands. */
  advance(target: (nowMs: number) => number): Promise<Record<string, number>>;
};

/** A century; a larger step is most likely a wrong unit. */
const maxAdvanceMs = 100 * 366 * 86_400_000;
const now = timestamp('Current time of the test clock');

/** Read and advance the test clock (docs/api/process.md, "Test clock"); only served with `--test-clock`. */
export const testClockRoutes = (control: ClockControl): Route[] => [
  bind(
    operation({
      operationId: 'getTestClock',
      tag: 'System',
      summary: 'Get the test clock',
      data: object({ now }),
      message: 'The test clock stands still until it is advanced.',
      handle: (app) => Promise.resolve({ data: { now: isoOf(app.clock.now()) } }),
    }),
    { method: 'GET', path: '/api/v1/test-clock', access: 'any', role: 'viewer' },
  ),
  bind(
    operation({
      operationId: 'advanceTestClock',
      tag: 'System',
      summary: 'Advance the test clock and run everything that falls due, each at its own time',
      body: object({ ms: optional(integer({ minimum: 0, maximum: maxAdvanceMs })), to: optional(timestamp()) }),
      example: { ms: 3_600_000 },
      data: object({ now, ran: Type.Record(Type.String(), integer()) }),
      ownTransactions: true,
      message: 'Test clock advanced; no due work is left.',
      additionalFaults: (_app, { body }) => (body.ms === undefined || body.to === undefined ? [] : eitherFaults),
      async handle(app, { body }) {
        const target = targetOf(app.clock.now(), body);
        const toTarget = (nowMs: number): number => (body.ms === undefined ? target : nowMs + body.ms);
        const ran = await unguarded(() => control.advance(toTarget)); // jobs go on, whoever has advanced the clock
        return { data: { now: isoOf(app.clock.now()), ran } };
      },
    }),
    { method: 'POST', path: '/api/v1/test-clock/advance', access: 'any', role: 'member' },
  ),
];

const eitherFaults = ['ms', 'to'].map((path) => ({ path, message: 'send exactly one of ms and to' }));

function targetOf(nowMs: number, { ms, to }: { ms?: number; to?: string }): number {
  if ((ms === undefined) === (to === undefined)) throw invalid(eitherFaults);
  const target = to === undefined ? nowMs + (ms ?? 0) : Temporal.Instant.from(to).epochMilliseconds;
  if (target < nowMs)
    throw invalidAt('to', `is before the clock's current time, ${isoOf(nowMs)}; the clock only moves forward`);
  if (target > nowMs + maxAdvanceMs) throw invalidAt('to', 'is more than a century ahead');
  return target;
}
