import { isoOf } from '../../base/clock.ts';
import { operation } from '../../kernel/route.ts';
import {
  boolean,
  id,
  integer,
  list,
  nullable,
  object,
  oneOf,
  optional,
  phone,
  text,
  timestamp,
  Type,
} from '../../kernel/schema.ts';
import * as live from './live-control.ts';
import { callSchema, present } from './routes.ts';
import { getCall } from './service.ts';
import { timelineOf, timelineTypes } from './timeline.ts';
import { type CallTurn, turnsOf } from './turns.ts';

const tag = 'Calls';
const callPath = object({ id: id('call') });

export const sendCallDigits = operation({
  operationId: 'sendCallDigits',
  tag,
  summary: 'Press keys in an answered call',
  params: callPath,
  body: object({ digits: Type.String({ pattern: '^[0-9*#ABCD]{1,32}$', description: 'Keys: 0-9, *, #, A-D' }) }),
  example: { digits: '12#' },
  data: callSchema,
  message: 'Keys sent.',
  errors: ['conflict'],
  ownTransactions: true,
  handle: async (app, { caller, params, body }) => ({
    data: await present(app, await live.sendDigits(app, caller.orgId, params.id, body.digits)),
  }),
});

export const sayInCall = operation({
  operationId: 'sayInCall',
  tag,
  summary: 'Let the agent say a text next',
  params: callPath,
  body: object({ text: text(1000, 1) }),
  example: { text: 'One moment please, I am looking that up.' },
  data: callSchema,
  message: 'The agent says it next.',
  errors: ['conflict'],
  ownTransactions: true,
  handle: async (app, { caller, params, body }) => ({
    data: await present(app, await live.say(app, caller.orgId, params.id, body.text)),
  }),
});

export const transferCall = operation({
  operationId: 'transferCall',
  tag,
  summary: 'Transfer an answered call; answers when the other side has decided',
  params: callPath,
  body: object({ to: optional(phone("In E.164 format; the agent's transferPhone if left out")) }),
  bodyOptional: true,
  example: { to: '+4930901820' },
  data: callSchema,
  message: 'Call transferred.',
  errors: ['conflict'],
  ownTransactions: true,
  handle: async (app, { caller, params, body }) => ({
    data: await present(app, await live.transfer(app, caller.orgId, params.id, body.to)),
  }),
});

export const getCallTimeline = operation({
  operationId: 'getCallTimeline',
  tag,
  summary: 'List what happened in a call, oldest first',
  params: callPath,
  data: list(
    object(
      { at: timestamp(), type: oneOf(timelineTypes), detail: nullable(Type.String()) },
      { title: 'CallTimelineEntry' },
    ),
    { maxItems: 500 },
  ),
  message: 'Timeline fetched.',
  async handle(app, { caller, params }) {
    const call = await getCall(app, caller.orgId, params.id);
    return { data: (await timelineOf(app.db, call.id)).map((entry) => ({ ...entry, at: isoOf(entry.at) })) };
  },
});

const orNull = nullable(integer());

export const getCallTurns = operation({
  operationId: 'getCallTurns',
  tag,
  summary: 'List the turns of a call, with where the time of each answer went',
  params: callPath,
  data: list(
    object(
      {
        role: oneOf(['agent', 'user']),
        text: Type.String(),
        from_ms: integer({ description: 'Since the answer of the call' }),
        to_ms: orNull,
        interrupted: nullable(boolean()),
        latency: nullable(
          object(
            {
              hearing_ms: orNull,
              thinking_ms: orNull,
              tools_ms: orNull,
              voice_ms: orNull,
              total_ms: integer(),
            },
            { description: 'From the end of what the other side said to the first sound of the answer' },
          ),
        ),
        tools: nullable(
          list(object({ name: Type.String(), duration_ms: orNull, failed: boolean() }), {
            description: 'Tools that ran before the turn',
          }),
        ),
        passages: nullable(list(Type.String())),
      },
      { title: 'CallTurn' },
    ),
    { description: 'What the engine does not say is null' },
  ),
  message: 'Turns fetched.',
  async handle(app, { caller, params }) {
    const turns = await turnsOf(app, await getCall(app, caller.orgId, params.id));
    return { data: turns.map(presentTurn) };
  },
});

const presentTurn = ({ role, text: said, fromMs, toMs, interrupted, latency, tools }: CallTurn) => ({
  role,
  text: said,
  from_ms: fromMs,
  to_ms: toMs,
  interrupted,
  latency: latency && {
    hearing_ms: latency.hearingMs,
    thinking_ms: latency.thinkingMs,
    tools_ms: latency.toolsMs,
    voice_ms: latency.voiceMs,
    total_ms: latency.totalMs,
  },
  tools: tools && tools.map(({ name, durationMs, failed }) => ({ name, duration_ms: durationMs, failed })),
  passages: null,
});
