import { isoOf } from '../../base/clock.ts';
import { JsonObject } from '../../base/json.ts';
import { operation } from '../../kernel/route.ts';
import {
  id,
  list,
  metadata,
  nullable,
  object,
  oneOf,
  optional,
  phone,
  type Static,
  timestamp,
  Type,
} from '../../kernel/schema.ts';
import { type Call, callStates, callStatuses } from './call.ts';
import { callData, callFields } from './call-data.ts';
import { type PlaceCall, placeCall, placeFaults } from './place.ts';
import * as service from './service.ts';

const tag = 'Calls';

const callSchema = object(
  {
    ...callFields,
    state: oneOf(callStates),
    answered_at: nullable(timestamp()),
    error_message: nullable(Type.String()),
  },
  { title: 'Call' },
);

const present = (call: Call) => ({
  ...callData(call),
  state: call.state,
  answered_at: call.answeredAt === null ? null : isoOf(call.answeredAt),
  error_message: call.errorMessage,
});

const placeBody = object(
  {
    agent_id: id('agent'),
    to: phone(),
    from: optional(phone('One of your active phone numbers, in E.164 format')),
    phone_number_id: optional(id('phone number')),
    contact_id: optional(id('contact')),
    metadata: optional(metadata()),
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
});

const callPath = object({ id: id('call') });

export const listCalls = operation({
  operationId: 'listCalls',
  tag,
  summary: 'List calls, newest first',
  query: object({
    agent_id: optional(id('agent')),
    campaign_id: optional(id('campaign')),
    contact_id: optional(id('contact')),
    status: optional(oneOf(callStatuses, { description: 'Only calls that ended with this status' })),
  }),
  paged: true,
  data: list(callSchema),
  message: 'Calls fetched.',
  async handle(app, { caller, query, page }) {
    const filter: service.CallFilter = {
      ...(query.agent_id === undefined ? {} : { agentId: query.agent_id }),
      ...(query.campaign_id === undefined ? {} : { campaignId: query.campaign_id }),
      ...(query.contact_id === undefined ? {} : { contactId: query.contact_id }),
      ...(query.status === undefined ? {} : { status: query.status }),
    };
    const { items, total } = await service.listCalls(app, caller.orgId, filter, page);
    return { data: items.map(present), total };
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
  },
  data: callSchema,
  message: 'Call placed.',
  errors: ['conflict'],
  additionalFaults: (app, { caller, body }) => placeFaults(app, caller.orgId, optionalFields(body)),
  async handle(app, { caller, body }) {
    const { agent_id: agentId, to, ...rest } = body;
    return { data: present(await placeCall(app, caller.orgId, { ...optionalFields(rest), agentId, to })) };
  },
});

export const getCall = operation({
  operationId: 'getCall',
  tag,
  summary: 'Get a call',
  params: callPath,
  data: callSchema,
  message: 'Call fetched.',
  handle: async (app, { caller, params }) => ({ data: present(await service.getCall(app, caller.orgId, params.id)) }),
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
  handle: async (app, { caller, params }) => ({ data: present(await service.hangUp(app, caller.orgId, params.id)) }),
});
