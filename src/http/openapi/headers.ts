import { Type } from '../../kernel/schema.ts';

type Json = Record<string, unknown>;

/** Reusable header parameters of requests. */
export const requestHeaders: Record<string, Json> = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Identifies the request in the response and in the server log: up to 128 printable characters. Generated if omitted.',
    schema: Type.String({ minLength: 1, maxLength: 128 }),
    example: 'order-4711-step-2',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes it safe to retry: a request repeated with the same key within 24 hours by the same key or person is not executed again and returns the stored response. A response with a secret is not stored: the repeated request is a 409.',
    schema: Type.String({ minLength: 1, maxLength: 255 }),
    example: '5f0c3c5e-6d4e-4c55-9a55-0d6f3f0c8a52',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The version that the change is based on, in quotes as in the `ETag`. If the version is another one by now, nothing is changed and the answer is 412. Without it, or with `*`, the change is made whatever the version is.',
    schema: Type.String({ pattern: '^(?:"\\d{1,15}"|\\*)$' }),
    example: '"3"',
  },
  WebhookId: {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'ID of the message, the same on every attempt (Standard Webhooks 1.0).',
    schema: { type: 'string' },
    example: '019cadc6-9a80-7001-a45e-788430a62e9c',
  },
  WebhookTimestamp: {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'Time of this attempt in Unix seconds.',
    schema: { type: 'string', pattern: '^\\d{1,12}$' },
    example: '1772442000',
  },
};

/** The headers that the signature covers besides the body. The signature itself is a security scheme. */
export const signatureHeaders = ['WebhookId', 'WebhookTimestamp'] as const;

const header = (description: string, example: string): Json => ({ description, schema: { type: 'string' }, example });

/** Reusable headers of responses. */
export const responseHeaders: Record<string, Json> = {
  RequestId: header('ID of the request, as it appears in the server log.', 'order-4711-step-2'),
  IdempotencyReplayed: header(
    '`true` if this is the stored response of an earlier request with the same `Idempotency-Key`.',
    'true',
  ),
  Version: header('The `version` of what the response shows, in quotes: the value for `If-Match`.', '"3"'),
  RateLimit: header(
    'Requests left (`r`) and seconds until the full quota is available again (`t`).',
    '"default";r=199;t=1',
  ),
  RateLimitPolicy: header('Quota (`q`) and the seconds in which it is replenished (`w`).', '"default";q=200;w=2'),
  RetryAfter: header('Seconds to wait before retrying.', '1'),
  SessionCookie: header(
    'The session cookie: `HttpOnly`, `SameSite=Strict`, and `Secure` where `http.public_url` is https.',
    'parley_4be643f1d98a=Zk3…; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict',
  ),
  Challenge: header('Accepted authentication schemes.', 'ApiKey, Bearer'),
};

export const parameterRef = (name: keyof typeof requestHeaders): Json => ({ $ref: `#/components/parameters/${name}` });
export const headerRef = (name: keyof typeof responseHeaders): Json => ({ $ref: `#/components/headers/${name}` });
