import type { ErrorKind } from '../../base/errors.ts';
import type { Route } from '../../kernel/route.ts';
import { list, object, oneOf, optional, Type } from '../../kernel/schema.ts';
import { statuses } from '../output/errors.ts';

type Json = Record<string, unknown>;

const says: Readonly<Record<ErrorKind, { when: string; example: string }>> = {
  invalid: { when: 'A fault in path, query or body; `details` lists all of them', example: 'name: is required' },
  unauthenticated: {
    when: 'No key or token, or one that is unknown, revoked or expired',
    example: 'The API key is unknown, revoked or expired.',
  },
  forbidden: {
    when: 'The role of the key or token may not do this',
    example: 'This needs the role member; the key or token has the role viewer.',
  },
  not_found: { when: 'Nothing matches, or it belongs to another organization', example: 'No such agent.' },
  method_not_allowed: { when: 'The path takes other methods', example: '/ready allows GET, HEAD, not POST.' },
  request_timeout: { when: 'The request did not arrive in time', example: 'The request did not arrive in time.' },
  conflict: {
    when: 'Not possible in the present state; the message says which state and what would be possible',
    example: 'The campaign is running; pause or complete it first.',
  },
  not_connected: {
    when: 'The organization has no connected calendar account',
    example: 'The organization has no connected calendar account.',
  },
  idempotency_in_progress: {
    when: 'The first request with this Idempotency-Key is still running',
    example: 'The first request with this Idempotency-Key is still running; ask again.',
  },
  too_large: { when: 'The body is too large', example: 'The body is larger than the 1048576 bytes allowed here.' },
  unsupported_media_type: {
    when: 'The body has another content type',
    example: 'Send the body as application/json.',
  },
  expectation_failed: {
    when: 'The header Expect asks for something else than 100-continue',
    example: 'No expectation but 100-continue can be met.',
  },
  idempotency_mismatch: {
    when: 'The Idempotency-Key was used with another request',
    example: 'This Idempotency-Key was used with another request; choose a new one.',
  },
  rate_limited: {
    when: 'Too many requests; see Retry-After',
    example: 'Too many requests with this key; try again in 1 s.',
  },
  headers_too_large: {
    when: 'The address and headers are too long',
    example: 'The address and headers are too long.',
  },
  internal: {
    when: 'Unexpected; the message names the request',
    example: 'Something went wrong on our side. The log names it as request 4f0c8a52.',
  },
  provider: {
    when: 'The calendar provider answered nonsense or not at all',
    example: 'The calendar provider could not be reached.',
  },
  unavailable: {
    when: 'Starting, draining, or the storage refuses writes',
    example: 'The server is draining; try again shortly.',
  },
};

/** The envelope of every refusal (interface, Errors; contract, section 1). */
export const errorSchema = object(
  {
    success: Type.Unsafe<false>({ type: 'boolean', enum: [false] }),
    message: Type.String({ description: 'A sentence for a person' }),
    code: optional(
      oneOf(
        Object.values(statuses).flatMap(({ code }) => code ?? []),
        { description: 'Absent on a 401 and on some 404' },
      ),
    ),
    details: optional(
      list(
        object({
          path: Type.String({ description: 'Like schedule.windowStart or contacts[3].phone; empty: the whole body' }),
          message: Type.String(),
        }),
        { description: 'On a 400: every fault' },
      ),
    ),
  },
  { title: 'Error' },
);

/** Whether an Idempotency-Key is heeded: on any POST of somebody (contract, section 1). */
export const mayBeOnce = (route: Route): boolean => route.method === 'POST' && route.access !== 'public';

/** A parameter with a format names a thing; ids of any other form are left to `refuses`. */
const namesThings = ({ params }: Route): boolean =>
  Object.values(params?.properties ?? {}).some((schema) => (schema as { format?: string }).format !== undefined);

/** Everything that a request to a route may be refused with. */
export function refusalsOf(route: Route): ErrorKind[] {
  const known = route.access !== 'public';
  const hasBody = route.body !== undefined || route.upload !== undefined;
  const possible: ReadonlyArray<readonly [ErrorKind, boolean]> = [
    ['invalid', true],
    ['unauthenticated', known || route.verifySignature !== undefined],
    ['forbidden', known && route.role !== 'viewer'],
    ['not_found', namesThings(route)],
    ['idempotency_in_progress', mayBeOnce(route)],
    ['too_large', hasBody],
    ['unsupported_media_type', hasBody],
    ['idempotency_mismatch', mayBeOnce(route)],
    ['rate_limited', known],
    ['internal', true],
    ['unavailable', true],
  ];
  const implied = possible.filter(([, applies]) => applies).map(([kind]) => kind);
  return [...new Set([...implied, ...(route.errors ?? [])])];
}

const nameOf = (kind: ErrorKind): string =>
  kind.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The responses of refusals, by status; kinds that share one share its response, which is added to `components` by name. */
export function refusalResponses(kinds: readonly ErrorKind[], components: Record<string, Json>): Json {
  const byStatus = Map.groupBy(kinds, (kind) => statuses[kind].status);
  return Object.fromEntries(
    [...byStatus].map(([status, sharing]) => {
      const ordered = sharing.toSorted();
      const name = ordered.map(nameOf).join('Or');
      components[name] ??= response(ordered);
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function response(kinds: readonly ErrorKind[]): Json {
  const exampleOf = (kind: ErrorKind): Json => {
    const { code } = statuses[kind];
    const details = kind === 'invalid' ? [{ path: 'name', message: 'is required' }] : undefined;
    return {
      success: false,
      message: says[kind].example,
      ...(code === undefined ? {} : { code }),
      ...(details ? { details } : {}),
    };
  };
  return {
    description: kinds.map((kind) => says[kind].when).join('. Or: '),
    headers: headersOf(kinds),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(kinds.map((kind) => [kind, { summary: says[kind].when, value: exampleOf(kind) }])),
      },
    },
  };
}

const retried: ReadonlySet<ErrorKind> = new Set(['rate_limited', 'unavailable', 'idempotency_in_progress']);

function headersOf(kinds: readonly ErrorKind[]): Json {
  const reference = (name: string): Json => ({ $ref: `#/components/headers/${name}` });
  return {
    'X-Request-Id': reference('RequestId'),
    ...(kinds.some((kind) => retried.has(kind)) ? { 'Retry-After': reference('RetryAfter') } : {}),
    ...(kinds.includes('unauthenticated') ? { 'WWW-Authenticate': reference('Challenge') } : {}),
    ...(kinds.includes('rate_limited')
      ? { RateLimit: reference('RateLimit'), 'RateLimit-Policy': reference('RateLimitPolicy') }
      : {}),
  };
}
