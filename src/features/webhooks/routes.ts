import { isoOf, isoOrNull } from '../../base/clock.ts';
import { given } from '../../base/given.ts';
import { instantOrNull, period, periodOf } from '../../kernel/filters.ts';
import { pageReply } from '../../kernel/paging.ts';
import { operation } from '../../kernel/route.ts';
import { id, integer, list, nullable, object, oneOf, optional, text, timestamp, Type } from '../../kernel/schema.ts';
import { maxRetried, retryDeliveries } from './bulk-retry.ts';
import { callStatuses } from '../calls/call.ts';
import { type CallSubject, subjectsOfCalls } from '../calls/service.ts';
import { type Attempt, type Delivery, deliveryStatuses } from './delivery.ts';
import { webhookEventNames } from '../agents/agent.ts';
import { endpointStatuses } from '../endpoints/endpoint.ts';
import { sampleDataSchema } from './payload.ts';
import { type EndpointHealth, listEndpoints } from './endpoint-health.ts';
import type { RotatedSecret } from './secrets.ts';
import * as service from './service.ts';

const tag = 'Webhooks';
const deliveryPath = object({ id: id('webhook delivery') });
const endpointPath = object({ id: id('webhook endpoint') });
const agentPath = object({ id: id('agent') });

const endpointFields = {
  id: id('webhook endpoint'),
  agent_id: id('agent'),
  agent_name: Type.String(),
  url: Type.String(),
  status: oneOf(endpointStatuses, {
    description:
      'failing: until a probe succeeds or its URL is saved again; paused: by hand, until somebody resumes it',
  }),
  failing_since: nullable(timestamp()),
  paused_at: nullable(timestamp()),
  pause_reason: nullable(Type.String()),
  last_error: nullable(Type.String()),
  failures: integer({ description: 'Failed attempts since the last success, or since the endpoint was resumed' }),
  next_attempt_at: nullable(timestamp('When the next attempt starts; null when none is scheduled')),
  last_delivered_at: nullable(timestamp()),
  held: integer({ description: 'Number of deliveries that wait until the endpoint recovers' }),
  exhausted: integer({
    description: 'Number of deliveries whose last try failed, and that are not sent again by themselves',
  }),
  created_at: timestamp(),
};

const endpointSchema = object(endpointFields, { title: 'WebhookEndpoint' });

const presentEndpoint = (endpoint: EndpointHealth) => ({
  id: endpoint.id,
  agent_id: endpoint.agentId,
  agent_name: endpoint.agentName,
  url: endpoint.url,
  status: endpoint.status,
  failing_since: isoOrNull(endpoint.failingSince),
  paused_at: isoOrNull(endpoint.pausedAt),
  pause_reason: endpoint.pauseReason,
  last_error: endpoint.lastError,
  failures: endpoint.failures,
  next_attempt_at: isoOrNull(endpoint.nextAttemptAt),
  last_delivered_at: isoOrNull(endpoint.lastDeliveredAt),
  held: endpoint.held,
  exhausted: endpoint.exhausted,
  created_at: isoOf(endpoint.createdAt),
});

const deliveryFields = {
  id: id('webhook delivery'),
  event_id: id('event; every attempt sends it in the header webhook-id'),
  endpoint_id: id('webhook endpoint'),
  agent_id: id('agent'),
  url: Type.String(),
  event: oneOf(webhookEventNames),
  status: oneOf(deliveryStatuses),
  attempt_count: integer(),
  next_attempt_at: nullable(timestamp()),
  schedule: list(timestamp(), {
    description:
      'The attempts still to come if each of them fails; empty while the delivery waits for its endpoint to recover',
  }),
  created_at: timestamp(),
  delivered_at: nullable(timestamp()),
};

const subjectField = nullable(
  object(
    {
      contact_name: nullable(Type.String()),
      phone: nullable(Type.String()),
      outcome: nullable(oneOf(callStatuses)),
    },
    { description: 'Whom the event is about; null for test events and where the call is gone' },
  ),
);

const presentSubject = (call: CallSubject | undefined) =>
  call === undefined ? null : { contact_name: call.callerName, phone: call.phone, outcome: call.status };

const deliverySchema = object(deliveryFields, { title: 'WebhookDelivery' });

const presentDelivery = (delivery: Delivery) => ({
  id: delivery.id,
  event_id: delivery.eventId,
  endpoint_id: delivery.endpointId,
  agent_id: delivery.agentId,
  url: delivery.url,
  event: delivery.event,
  status: delivery.status,
  attempt_count: delivery.attemptCount,
  next_attempt_at: isoOrNull(delivery.nextAttemptAt),
  schedule: delivery.schedule.map(isoOf),
  created_at: isoOf(delivery.createdAt),
  delivered_at: isoOrNull(delivery.deliveredAt),
});

const headers = (description: string) => Type.Record(Type.String(), Type.String(), { description });

const attemptSchema = object(
  {
    number: integer(),
    at: timestamp(),
    duration_ms: integer(),
    status_code: nullable(integer()),
    error: nullable(Type.String()),
    response_body: nullable(Type.String({ description: 'First 4 KiB of the response body' })),
    request_headers: nullable(headers('Headers that were sent, with the signature')),
    response_headers: nullable(
      headers('First 4 KiB of the headers that were answered, without the values of cookies and credentials'),
    ),
  },
  { title: 'WebhookAttempt' },
);

const presentAttempt = (attempt: Attempt) => ({
  number: attempt.number,
  at: isoOf(attempt.at),
  duration_ms: attempt.durationMs,
  status_code: attempt.statusCode,
  error: attempt.error,
  response_body: attempt.responseBody,
  request_headers: attempt.requestHeaders && { ...attempt.requestHeaders },
  response_headers: attempt.responseHeaders && { ...attempt.responseHeaders },
});

const listedEndpointSchema = object(
  {
    ...endpointFields,
    delivered_by_hour: list(integer(), {
      description:
        'How many deliveries the endpoint took in each of the last 24 hours of UTC, the oldest first; the last hour is going on',
    }),
  },
  { title: 'ListedWebhookEndpoint' },
);

export const listWebhookEndpoints = operation({
  operationId: 'listWebhookEndpoints',
  tag,
  summary: 'List webhook endpoints and their health, newest first',
  query: object({
    agent_id: optional(id('agent')),
    status: optional(oneOf(endpointStatuses, { description: 'Only endpoints with this status' })),
  }),
  paged: true,
  data: list(listedEndpointSchema),
  message: 'Webhook endpoints fetched.',
  async handle(app, { caller, query, page }) {
    const filter = given({ agentId: query.agent_id, status: query.status });
    return pageReply(await listEndpoints(app, caller.orgId, filter, page), (endpoint) => ({
      ...presentEndpoint(endpoint),
      delivered_by_hour: [...endpoint.deliveredByHour],
    }));
  },
});

export const resumeWebhookEndpoint = operation({
  operationId: 'resumeWebhookEndpoint',
  tag,
  summary: 'Make a failing or paused endpoint deliver again, and send everything that waits for it',
  params: endpointPath,
  body: object({}),
  bodyOptional: true,
  data: endpointSchema,
  message: 'Webhook endpoint delivers again.',
  handle: async (app, { caller, params }) => ({
    data: presentEndpoint(await service.resume(app, caller.orgId, params.id)),
  }),
});

export const pauseWebhookEndpoint = operation({
  operationId: 'pauseWebhookEndpoint',
  tag,
  summary: 'Send nothing to an endpoint until it is resumed; its events wait',
  params: endpointPath,
  body: object({ reason: optional(nullable(text(500))) }),
  example: { reason: 'Moving the receiver to another host' },
  bodyOptional: true,
  data: endpointSchema,
  message: 'Webhook endpoint paused.',
  handle: async (app, { caller, params, body }) => ({
    data: presentEndpoint(await service.pause(app, caller.orgId, params.id, body.reason ?? null)),
  }),
});

export const testWebhookEndpoint = operation({
  operationId: 'testWebhookEndpoint',
  tag,
  summary: 'Send a sample event, marked "test": true, to an endpoint',
  params: endpointPath,
  body: object({}),
  bodyOptional: true,
  data: deliverySchema,
  message: 'Test event queued.',
  handle: async (app, { caller, params }) => ({
    data: presentDelivery(await service.testEndpoint(app, caller.orgId, params.id)),
  }),
});

export const sendSampleEvent = operation({
  operationId: 'sendSampleEvent',
  tag,
  summary: 'Send a sample event, marked "test": true, to every webhook URL of an agent',
  body: object(
    {
      type: oneOf(webhookEventNames),
      agent_id: id('agent'),
      outcome: optional(oneOf(callStatuses, { description: 'How the call of the sample ended; default: completed' })),
      data: optional(sampleDataSchema),
    },
    { title: 'SampleEvent' },
  ),
  example: {
    type: 'call.completed',
    agent_id: '019cadc6-9a80-7001-a45e-788430a62e9c',
    outcome: 'voicemail',
    data: { duration_sec: 12 },
  },
  data: object({ event_id: id('event') }),
  message: 'Sample event queued.',
  errors: ['conflict'],
  additionalFaults: (app, { caller, body }) =>
    service.sampleFaults(app, caller.orgId, given({ agentId: body.agent_id })),
  async handle(app, { caller, body }) {
    const { agent_id: agentId, outcome, data } = body;
    const sample = { agentId, ...given({ outcome, data }) };
    return { data: { event_id: await service.sendSampleEvent(app, caller.orgId, sample) } };
  },
});

export const retryFailedWebhookDeliveries = operation({
  operationId: 'retryFailedWebhookDeliveries',
  tag,
  summary: 'Retry the failed deliveries of an endpoint',
  params: endpointPath,
  body: object({ since: optional(timestamp()), until: optional(timestamp()) }),
  example: { since: '2026-03-01T00:00:00Z' },
  bodyOptional: true,
  ownTransactions: true,
  data: object({ queued: integer() }),
  message: 'Failed deliveries queued.',
  async handle(app, { caller, params, body }) {
    const range = { since: instantOrNull(body.since), until: instantOrNull(body.until) };
    return { data: { queued: await service.retryFailed(app, caller.orgId, params.id, range) } };
  },
});

export const listWebhookDeliveries = operation({
  operationId: 'listWebhookDeliveries',
  tag,
  summary: 'List webhook deliveries, newest first',
  query: object({
    status: optional(oneOf(deliveryStatuses, { description: 'Only deliveries with this status' })),
    endpoint_id: optional(id('webhook endpoint')),
    agent_id: optional(id('agent')),
    event_id: optional(id('event')),
    ...period,
  }),
  paged: 'cursor',
  data: list(object({ ...deliveryFields, subject: subjectField }, { title: 'ListedWebhookDelivery' })),
  message: 'Webhook deliveries fetched.',
  async handle(app, { caller, query, page }) {
    const { status, endpoint_id: endpointId, agent_id: agentId, event_id: eventId } = query;
    const filter = { ...given({ status, endpointId, agentId, eventId }), ...periodOf(query) };
    const deliveries = await service.listDeliveries(app, caller.orgId, filter, page);
    const calls = await subjectsOfCalls(
      app,
      caller.orgId,
      deliveries.items.map((delivery) => delivery.eventId),
    );
    return pageReply(deliveries, (delivery) => ({
      ...presentDelivery(delivery),
      subject: presentSubject(calls.get(delivery.eventId)),
    }));
  },
});

export const retryWebhookDeliveries = operation({
  operationId: 'retryWebhookDeliveries',
  tag,
  summary: `Retry all webhook deliveries with a status, up to ${maxRetried} at a time, oldest first`,
  body: object(
    {
      status: oneOf(deliveryStatuses, {
        description:
          'The status of the deliveries to retry. Deliveries that are pending or delivering are not queued again',
      }),
      endpoint_id: optional(id('webhook endpoint')),
      ...period,
    },
    { title: 'DeliveriesToRetry' },
  ),
  example: { status: 'exhausted', since: '2026-03-01T00:00:00Z' },
  ownTransactions: true,
  data: object({ queued: integer() }),
  message: 'Webhook deliveries queued.',
  async handle(app, { caller, body }) {
    const filter = { ...given({ status: body.status, endpointId: body.endpoint_id }), ...periodOf(body) };
    const { queued, nextAt } = await retryDeliveries(app, caller.orgId, filter);
    const more =
      nextAt === null
        ? {}
        : {
            message: `${queued} webhook deliveries queued, and there are more: send this again with since = ${isoOf(nextAt)}.`,
          };
    return { data: { queued }, ...more };
  },
});

export const getWebhookDelivery = operation({
  operationId: 'getWebhookDelivery',
  tag,
  summary: 'Get a webhook delivery with its payload and all attempts',
  params: deliveryPath,
  data: object(
    {
      ...deliveryFields,
      subject: subjectField,
      payload: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'The request body of every attempt',
      }),
      attempts: list(attemptSchema),
    },
    { title: 'WebhookDeliveryInDetail' },
  ),
  message: 'Webhook delivery fetched.',
  async handle(app, { caller, params }) {
    const { delivery, payload, attempts } = await service.getDelivery(app, caller.orgId, params.id);
    const calls = await subjectsOfCalls(app, caller.orgId, [delivery.eventId]);
    const subject = presentSubject(calls.get(delivery.eventId));
    return { data: { ...presentDelivery(delivery), subject, payload, attempts: attempts.map(presentAttempt) } };
  },
});

export const retryWebhookDelivery = operation({
  operationId: 'retryWebhookDelivery',
  tag,
  summary: 'Retry a webhook delivery now, whatever its status',
  params: deliveryPath,
  body: object({}),
  bodyOptional: true,
  data: deliverySchema,
  message: 'Webhook delivery queued.',
  handle: async (app, { caller, params }) => ({
    data: presentDelivery(await service.retryDelivery(app, caller.orgId, params.id)),
  }),
});

const secretSchema = object({
  secret: Type.String(),
  previous_expires_at: nullable(timestamp('When the previous secret stops signing; null: it does not sign')),
});

const presentSecret = ({ secret, previousExpiresAt }: RotatedSecret) => ({
  secret,
  previous_expires_at: isoOrNull(previousExpiresAt),
});

export const getWebhookSecret = operation({
  operationId: 'getWebhookSecret',
  tag,
  summary: 'Get the secret that signs the webhook events of an agent',
  params: agentPath,
  data: secretSchema,
  message: 'Webhook secret fetched.',
  handle: async (app, { caller, params }) => ({
    data: presentSecret(await service.getSecret(app, caller.orgId, params.id)),
  }),
});

export const rotateWebhookSecret = operation({
  operationId: 'rotateWebhookSecret',
  tag,
  summary: 'Rotate the secret that signs the webhook events of an agent',
  params: agentPath,
  body: object({ overlap_seconds: optional(integer({ minimum: 0, maximum: 2_592_000 })) }),
  example: { overlap_seconds: 3600 },
  bodyOptional: true,
  data: secretSchema,
  answersSecret: true,
  message: 'Webhook secret rotated.',
  async handle(app, { caller, params, body }) {
    const rotated = await service.rotateAgentSecret(app, caller.orgId, params.id, body.overlap_seconds ?? 0);
    return { data: presentSecret(rotated) };
  },
});
