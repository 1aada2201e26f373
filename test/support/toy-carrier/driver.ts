import { section, text, textOrNull, integer } from '../../../src/base/config/kinds.ts';
import { isoOrNull } from '../../../src/base/clock.ts';
import { plainOutcome } from '../../../src/features/calls/call.ts';
import { carrierDriver } from '../../../src/features/calls/carriers/driver.ts';
import { endCallById } from '../../../src/features/calls/service.ts';
import type { App } from '../../../src/kernel/app.ts';
import { enqueue, jobKind, transactionalJob } from '../../../src/kernel/queue.ts';
import { operation } from '../../../src/kernel/route.ts';
import { object, Type } from '../../../src/kernel/schema.ts';

export const toyEnd = jobKind<{ callId: string }>('toy.end');

/** The actions of all servers with the toy carrier, in order. */
export const toyLog: string[] = [];

/** A carrier driver with everything that a driver may have: its calls are accepted at once and completed after `toy.talk_sec`. */
export const toyDriver = carrierDriver({
  name: 'toy',
  summary: 'two tins and a string',
  simulated: true,
  settings: {
    'carrier.toy': section({ string: text('hemp', 'What the string is made of.') }),
    toy: section({
      talk_sec: integer(3, 'How long every call lasts, in seconds.'),
      key: textOrNull('Secret of the other tin.', { secret: true }),
    }),
  },
  missing: ({ toy }) => (toy.key === null ? [['toy.key', 'the secret of the other tin']] : []),
  create({ settings: { toy, 'carrier.toy': tins } }) {
    let startedAt: number | null = null;
    return {
      carrier: {
        maxRequestMs: 0,
        dial: (_app, call) =>
          Promise.resolve({
            accepted: true,
            remember: (app, tx) =>
              enqueue(app, tx, toyEnd, {
                key: call.id,
                dueAt: app.clock.now() + toy.talk_sec * 1000,
                payload: { callId: call.id },
              }),
          }),
        knows: () => Promise.resolve(true),
        hangUp: () => Promise.resolve(),
      },
      jobs: [
        transactionalJob(toyEnd, (app, tx, { payload }) =>
          endCallById(app, tx, payload.callId, plainOutcome('completed')),
        ),
      ],
      routes: [
        [
          'GET',
          '/api/v1/toy',
          operation({
            operationId: 'getToy',
            tag: 'Calls',
            summary: 'The string between the tins',
            data: object({
              string: Type.String(),
              started_at: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
            }),
            message: 'Toy fetched.',
            handle: () => Promise.resolve({ data: { string: tins.string, started_at: isoOrNull(startedAt) } }),
          }),
          'viewer',
        ],
      ],
      start(app: App) {
        startedAt = app.clock.now();
        toyLog.push('start');
        return Promise.resolve();
      },
      async stop() {
        toyLog.push(startedAt === null ? 'stop without start' : 'stop');
        startedAt = null;
        await Promise.resolve();
      },
      health: () => Promise.resolve({ status: 'ok', message: startedAt === null ? 'slack' : 'the string is taut' }),
    };
  },
});
