import { isoOf, isoOrNull } from '../../base/clock.ts';
import { operation } from '../../kernel/route.ts';
import { id, integer, list, nullable, object, oneOf, optional, timestamp, Type } from '../../kernel/schema.ts';
import { type Attempt, type Delivery, deliveryStatuses } from './delivery.ts';
import { type Endpoint, endpointStatuses } from '../endpoints/endpoint.ts';
import { listEndpoints } from '../endpoints/service.ts';
import * as service from './service.ts';

const tag = 'Webhooks';
const deliveryPath = object({ id: id('webhook delivery') });
const endpointPath = object({ id: id('webhook endpoint') });
const agentPath = object({ id: id('agent') });

const endpointSchema = object(
  {
    id: id('webhook endpoint'),
    agent_id: id('agent'),
    url: Type.String(),
    status: oneOf(endpointStatuses, {
      description: 'A failing endpoint is paused until a probe succeeds or its URL is saved again',
    }),
    failing_since: nullable(timestamp()),
    last_error: nullable(Type.String()),
    held: integer({ description: 'Number of deliveries that wait until the endpoint recovers' }),
    created_at: timestamp(),
  },
  { title: 'WebhookEndpoint' },
);

const presentEndpoint = (endpoint: Endpoint) => ({
  id: endpoint.id,
  agent_id: endpoint.agentId,
  url: endpoint.url,
  status: endpoint.status,
  failing_since: isoOrNull(endpoint.failingSince),
  last_error: endpoint.lastError,
  held: endpoint.held,
  created_at: isoOf(endpoint.createdAt),
});

const deliveryFields = {
  id: id('webhook delivery'),
  event_id: Type.String({
    format: 'uuid',
    description: 'Id of the event; every attempt sends it as webhook-id header',
  }),
  endpoint_id: id('webhook endpoint'),
  agent_id: id('agent'),
  url: Type.String(),
  event: Type.String(),
  status: oneOf(deliveryStatuses),
  attempt_count: integer(),
  next_attempt_at: nullable(timestamp()),
  created_at: timestamp(),
  delivered_at: nullable(timestamp()),
};

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
  created_at: isoOf(delivery.createdAt),
  delivered_at: isoOrNull(delivery.deliveredAt),
});

const attemptSchema = object(
  {
    number: integer(),
    at: timestamp(),
    duration_ms: integer(),
    status_code: nullable(integer()),
    error: nullable(Type.String()),
    response_body: nullable(Type.String({ description: 'First 4 KiB of the response body' })),
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
});

const instantOrNull = (text: string | undefined): number | null =>
  text === undefined ? null : Temporal.Instant.from(text).epochMilliseconds;

export const listWebhookEndpoints = operation({
  operationId: 'listWebhookEndpoints',
  tag,
  summary: 'List webhook endpoints and their health, newest first',
  paged: true,
  data: list(endpointSchema),
  message: 'Webhook endpoints fetched.',
  async handle(app, { caller, page }) {
    const { items, total } = await listEndpoints(app, caller.orgId, page);
    return { data: items.map(presentEndpoint), total };
  },
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

export const retryFailedWebhookDeliveries = operation({
  operationId: 'retryFailedWebhookDeliveries',
  tag,
  summary: 'Retry the failed deliveries of an endpoint',
  params: endpointPath,
  body: object({ since: optional(timestamp()), until: optional(timestamp()) }),
  example: { since: '2026-03-01T00:00:00Z' },
  bodyOptional: true,
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
    event_id: optional(id('event')),
  }),
  paged: true,
  data: list(deliverySchema),
  message: 'Webhook deliveries fetched.',
  async handle(app, { caller, query, page }) {
    const filter = {
      ...(query.status === undefined ? {} : { status: query.status }),
      ...(query.endpoint_id === undefined ? {} : { endpointId: query.endpoint_id }),
      ...(query.event_id === undefined ? {} : { eventId: query.event_id }),
    };
    const { items, total } = await service.listDeliveries(app, caller.orgId, filter, page);
    return { data: items.map(presentDelivery), total };
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
    return { data: { ...presentDelivery(delivery), payload, attempts: attempts.map(presentAttempt) } };
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

export const getWebhookSecret = operation({
  operationId: 'getWebhookSecret',
  tag,
  summary: 'Get the secret that signs the webhook events of an agent',
  params: agentPath,
  data: object({ secret: Type.String() }),
  message: 'Webhook secret fetched.',
  handle: async (app, { caller, params }) => ({
    data: { secret: await service.getSecret(app, caller.orgId, params.id) },
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
  data: object({
    secret: Type.String(),
    previous_expires_at: nullable(timestamp('When the previous secret stops signing; null: it stopped immediately')),
  }),
  answersSecret: true,
  message: 'Webhook secret rotated.',
  async handle(app, { caller, params, body }) {
    const rotated = await service.rotateAgentSecret(app, caller.orgId, params.id, body.overlap_seconds ?? 0);
    return { data: { secret: rotated.secret, previous_expires_at: isoOrNull(rotated.previousExpiresAt) } };
  },
});
