import { isoOf } from '../../../base/clock.ts';
import { operation } from '../../../kernel/route.ts';
import { integer, list, object, oneOf, optional, text, timestamp } from '../../../kernel/schema.ts';
import { actorOf } from '../../requests/audit.ts';
import { callingOf, hangUps, keptReasons, resumeCalling as resume, stopCalling as stop } from './stop.ts';
import { callingSchema, named, presentCalling, presentFacts, stopFacts } from './wire.ts';

const tag = 'Calling';

export const getCalling = operation({
  operationId: 'getCalling',
  tag,
  summary: 'Tell whether all calling is stopped, since when, why and by whom',
  data: callingSchema,
  message: 'State of calling fetched.',
  handle: async (app, { caller }) => ({ data: presentCalling(await callingOf(app, caller.orgId)) }),
});

export const stopCalling = operation({
  operationId: 'stopCalling',
  tag,
  summary: 'Stop all calling: hold every running campaign and hand no further call to a carrier, until it is resumed',
  body: object({
    reason: optional(text(500, 1)),
    hang_up: optional(
      oneOf(hangUps, {
        default: 'ringing',
        description:
          'Calls to hang up: none, those that have not been answered, or all. Incoming calls and test calls go on',
      }),
    ),
  }),
  bodyOptional: true,
  example: { reason: 'Wrong prompt', hang_up: 'ringing' },
  data: object(
    { stopped_at: timestamp(), ...stopFacts, hung_up: integer({ description: 'Calls that this request hung up' }) },
    { title: 'StoppedCalling' },
  ),
  message: 'Calling stopped.',
  errors: ['conflict'],
  forbidsCalls: true,
  ownTransactions: true,
  async handle(app, { caller, body }) {
    const { reason = null, hang_up: hangUp = 'ringing' } = body;
    const stopped = await stop(app, caller.orgId, { reason, hangUp, actor: actorOf(caller) });
    return {
      data: { stopped_at: isoOf(stopped.stop.at), ...presentFacts(stopped), hung_up: stopped.hungUp },
    };
  },
});

export const resumeCalling = operation({
  operationId: 'resumeCalling',
  tag,
  summary:
    'Resume calling: the campaigns that the stop held run again, unless somebody paused, completed or deleted them',
  body: object({}),
  bodyOptional: true,
  data: object(
    {
      resumed: list(object(named)),
      not_resumed: list(object({ ...named, reason: oneOf(keptReasons) })),
    },
    { title: 'ResumedCalling' },
  ),
  message: 'Calling resumed.',
  errors: ['conflict'],
  async handle(app, { caller }) {
    const { resumed, notResumed } = await resume(app, caller.orgId, actorOf(caller));
    return { data: { resumed, not_resumed: notResumed } };
  },
});
