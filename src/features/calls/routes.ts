import { isoOf } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { given } from '../../base/given.ts';
import { JsonObject } from '../../base/json.ts';
import { anyOf, distinct, period, periodOf, phonePartOf, search, searchTextIn } from '../../kernel/filters.ts';
import { pageReply } from '../../kernel/paging.ts';
import { operation } from '../../kernel/route.ts';
import {
  boolean,
  id,
  integer,
  list,
  metadata,
  nullable,
  number,
  object,
  oneOf,
  optional,
  phone,
  type Static,
  timestamp,
  Type,
} from '../../kernel/schema.ts';
import type { App } from '../../kernel/app.ts';
import { speechEngines } from '../../talking/speech/engine.ts';
import { type DoNotCallState, doNotCallStateOf } from '../contacts/do-not-call-state.ts';
import { doNotCallStateSchema, presentDoNotCallState } from '../contacts/do-not-call-wire.ts';
import { hangUpWhere } from './bulk-hang-up.ts';
import { type Call, callStates, callStatuses } from './call.ts';
import { callData, callFields } from './call-data.ts';
import { withLiveFacts } from './live-facts.ts';
import { type PlaceCall, placeCall, placeFaults } from './place.ts';
import { scriptedCallSchema } from './scripted-call.ts';
import * as service from './service.ts';

const tag = 'Calls';

const sipSchema = object(
  {
    call_id: Type.String({ description: "The SIP dialog's Call-ID" }),
    status_code: nullable(integer({ description: 'Status code of the final answer to the INVITE; null until then' })),
    codec: nullable(oneOf(['PCMU', 'PCMA'])),
    srtp: boolean(),
    packets_sent: integer(),
    packets_received: integer(),
    packets_lost: integer(),
    jitter_ms: number(),
    turns: integer(),
    interruptions: integer(),
  },
  { title: 'SipCall' },
);

const speechSchema = object(
  {
    engine: oneOf(speechEngines),
    model: nullable(Type.String()),
    sessions: integer({ description: 'Sessions with speech services, one after the other' }),
    turns: integer({ description: 'Answers of the agent to the other side' }),
    interruptions: integer(),
    input_tokens: nullable(integer({ description: 'As the service counts them' })),
    output_tokens: nullable(integer()),
  },
  { title: 'SpeechOfCall' },
);

export const callSchema = object(
  {
    ...callFields,
    do_not_call_state: doNotCallStateSchema,
    state: oneOf(callStates),
    answered_at: nullable(timestamp()),
    error_message: nullable(Type.String()),
    speech: nullable(speechSchema),
    agent_edition: nullable(
      integer({ description: "The agent's edition that the call was made with; null for calls from before editions" }),
    ),
    sip: nullable(sipSchema),
  },
  { title: 'Call' },
);

const presentWith = (call: Call, doNotCall: DoNotCallState) => ({
  ...callData(call),
  do_not_call_state: presentDoNotCallState(doNotCall),
  state: call.state,
  answered_at: call.answeredAt === null ? null : isoOf(call.answeredAt),
  error_message: call.errorMessage,
  speech: call.speech,
  agent_edition: call.agentEdition,
  sip: call.sip,
});

/** Whether the people of calls may be called now. */
const stateFor = (app: App, orgId: string, calls: readonly Call[]) =>
  doNotCallStateOf(app.db, orgId, calls, ({ contactId, direction, from, to }) => ({
    contactId,
    phone: direction === 'inbound' ? from : to,
  }));

export const present = async (app: App, call: Call) =>
  presentWith(call, (await stateFor(app, call.orgId, [call]))(call));

const placeBody = object(
  {
    agent_id: id('agent'),
    to: phone(),
    from: optional(phone('One of your active phone numbers, in E.164 format')),
    phone_number_id: optional(id('phone number')),
    contact_id: optional(id('contact')),
    metadata: optional(metadata()),
    simulate: optional(scriptedCallSchema),
    force: optional(
      boolean({ description: 'Place the call although limits of calls to one number forbid it; for admins' }),
    ),
  },
  { title: 'CallToPlace' },
);

/** The optional fields that the body has, under the service's names. */
const optionalFields = (body: Partial<Static<typeof placeBody>>): Partial<PlaceCall> => ({
  ...(body.agent_id === undefined ? {} : { agentId: body.agent_id }),
  ...(body.from === undefined ? {} : { from: body.from }),
  ...(body.phone_number_id === undefined ? {} : { phoneNumberId: body.phone_number_id }),
  ...(body.contact_id === undefined ? {} : { contactId: body.contact_id }),
  ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
  ...(body.simulate === undefined ? {} : { simulate: body.simulate }),
  ...(body.force === undefined ? {} : { force: body.force }),
});

const callPath = object({ id: id('call') });

/** The filters of lists of calls. */
export const callFilters = {
  agent_id: optional(id('agent')),
  campaign_id: optional(id('campaign')),
  contact_id: optional(id('contact')),
  status: anyOf(callStatuses, 'Only calls that ended with this status; repeat it for several'),
  state: optional(
    oneOf([...callStates, 'live'], { description: 'Only calls in this state; live: all that have not ended' }),
  ),
  channel: optional(oneOf(['voice', 'web', 'sip'], { description: 'Only calls of this channel; web: test calls' })),
  q: search('Part of the phone number that was called; spaces and punctuation do not matter'),
  disposition: optional(
    list(Type.String({ maxLength: 200, minLength: 1 }), {
      minItems: 1,
      maxItems: 20,
      description: 'Only calls whose analysis has this disposition; repeat it for several',
    }),
  ),
  goals_met: optional(boolean({ description: 'Only calls whose analysis says that the goals were met, or were not' })),
  min_duration_sec: optional(
    integer({ minimum: 0, maximum: 86_400, description: 'Only calls of this length or more' }),
  ),
  agent_edition: optional(
    integer({ minimum: 1, description: 'Only calls that were made with this edition of an agent' }),
  ),
  ...period,
};

const filterQuery = object(callFilters);

/** What the filters of a query ask for. */
export const callFilterOf = (query: Static<typeof filterQuery>): service.CallFilter => ({
  ...given({
    agentId: query.agent_id,
    campaignId: query.campaign_id,
    contactId: query.contact_id,
    channel: query.channel,
    statuses: distinct(query.status),
    state: query.state,
    phone: phonePartOf(query.q) ?? searchTextIn(query.q),
    dispositions: distinct(query.disposition),
    goalsMet: query.goals_met,
    minDurationSec: query.min_duration_sec,
    agentEdition: query.agent_edition,
  }),
  ...periodOf(query),
});

export const listCalls = operation({
  operationId: 'listCalls',
  tag,
  summary: 'List calls, newest first',
  query: filterQuery,
  paged: 'cursor',
  data: list(callSchema),
  message: 'Calls fetched.',
  async handle(app, { caller, query, page }) {
    const calls = await service.listCalls(app, caller.orgId, callFilterOf(query), page);
    const items = await withLiveFacts(app, calls.items);
    const stateOf = await stateFor(app, caller.orgId, items);
    return pageReply({ ...calls, items }, (call) => presentWith(call, stateOf(call)));
  },
});

export const createCall = operation({
  operationId: 'createCall',
  tag,
  summary: 'Place a single call, outside of any campaign',
  body: placeBody,
  example: {
    agent_id: '019cadc6-9a80-7001-a45e-788430a62e9c',
    to: '+4930901820',
    from: '+4930901821',
    metadata: JsonObject.of({ ticket: 'A-17' }),
    simulate: { outcome: 'voicemail', ring_ms: 8000 },
  },
  data: callSchema,
  message: 'Call placed.',
  errors: ['conflict', 'forbidden'],
  additionalFaults: (app, { caller, body }) => placeFaults(app, caller.orgId, optionalFields(body)),
  async handle(app, { caller, body }) {
    const { agent_id: agentId, to, ...rest } = body;
    if (rest.force === true && caller.role !== 'admin')
      throw new AppError('forbidden', 'Only an admin may place a call with `force`.');
    const called = { phone: to, contactId: rest.contact_id ?? null };
    const [call, stateOf] = await Promise.all([
      placeCall(app, caller.orgId, { ...optionalFields(rest), agentId, to }),
      doNotCallStateOf(app.db, caller.orgId, [called], (person) => person),
    ]);
    return { data: presentWith(call, stateOf(called)), ...(call.forced ? { auditTarget: { forced: 'true' } } : {}) };
  },
});

export const getCall = operation({
  operationId: 'getCall',
  tag,
  summary: 'Get a call',
  params: callPath,
  data: callSchema,
  message: 'Call fetched.',
  async handle(app, { caller, params }) {
    const [call] = await withLiveFacts(app, [await service.getCall(app, caller.orgId, params.id)]);
    return { data: await present(app, call!) };
  },
});

export const hangUpCall = operation({
  operationId: 'hangUpCall',
  tag,
  summary: 'Hang up a call',
  params: callPath,
  body: object({}),
  bodyOptional: true,
  data: callSchema,
  message: 'Call hung up.',
  errors: ['conflict'],
  handle: async (app, { caller, params }) => ({
    data: await present(app, await service.hangUp(app, caller.orgId, params.id)),
  }),
});

const liveStates = callStates.filter((state) => state !== 'ended');

export const hangUpCalls = operation({
  operationId: 'hangUpCalls',
  tag,
  summary: 'Hang up all live calls of a campaign, of an agent or in a state',
  body: object({
    filter: object(
      {
        campaign_id: optional(id('campaign')),
        agent_id: optional(id('agent')),
        state: optional(oneOf([...liveStates, 'live'], { description: '`live`: any of them' })),
      },
      { minProperties: 1, description: 'At least one of them; a call must match all that are given' },
    ),
  }),
  example: { filter: { campaign_id: '019cadc6-9a80-7001-a45e-788430a62e9c', state: 'ringing' } },
  data: object({ hung_up: integer({ description: 'How many calls were hung up' }) }),
  message: 'Calls hung up.',
  ownTransactions: true,
  async handle(app, { caller, body }) {
    const { campaign_id: campaignId, agent_id: agentId, state } = body.filter;
    const matches = (call: Call): boolean =>
      (campaignId === undefined || call.campaignId === campaignId) &&
      (agentId === undefined || call.agentId === agentId) &&
      (state === undefined || state === 'live' || call.state === state);
    return { data: { hung_up: await hangUpWhere(app, caller.orgId, matches) } };
  },
});
