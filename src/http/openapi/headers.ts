import { Type } from '../../kernel/schema.ts';

type Json = Record<string, unknown>;

/** Header parameters of requests, as components. */
export const requestHeaders: Record<string, Json> = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Names the request in answers and logs, up to 128 printable characters; one is made if it is left out',
    schema: Type.String({ minLength: 1, maxLength: 128 }),
    example: 'order-4711-step-2',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'The same request with the same key within 24 hours happens once and answers the same, with Idempotency-Replayed: true',
    schema: Type.String({ minLength: 1, maxLength: 255 }),
    example: '5f0c3c5e-6d4e-4c55-9a55-0d6f3f0c8a52',
  },
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Names the message; the same on every attempt (Standard Webhooks 1.0)',
    schema: { type: 'string' },
    example: '019cadc6-9a80-7001-a45e-788430a62e9c',
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was made, Unix seconds',
    schema: { type: 'string', pattern: '^\\d{1,12}$' },
    example: '1772442000',
  },
};

/** What the signature covers beside the body; the signature itself is a security scheme. */
export const signatureHeaders = ['WebhookId', 'WebhookTimestamp'] as const;

const header = (description: string, example: string): Json => ({ description, schema: { type: 'string' }, example });

/** Headers of answers, as components. */
export const responseHeaders: Record<string, Json> = {
  RequestId: header('The request as it is named in logs', 'order-4711-step-2'),
  IdempotencyReplayed: header('true: the stored answer of an earlier request with the same Idempotency-Key', 'true'),
  RateLimit: header('Requests left (r) and seconds until the whole burst is there again (t)', '"default";r=199;t=1'),
  RateLimitPolicy: header('Requests at once (q) and seconds in which so many come back (w)', '"default";q=200;w=2'),
  RetryAfter: header('Seconds to wait', '1'),
  Challenge: header('How to authenticate', 'ApiKey, Bearer'),
};

export const parameterOf = (name: keyof typeof requestHeaders): Json => ({ $ref: `#/components/parameters/${name}` });
export const headerOf = (name: keyof typeof responseHeaders): Json => ({ $ref: `#/components/headers/${name}` });
