import type { ErrorKind } from '../../base/errors.ts';
import { actorSchema } from '../../features/requests/actor-wire.ts';
import { nullableChanges } from '../../features/requests/changes-wire.ts';
import type { Route } from '../../kernel/route.ts';
import { list, nullable, object, oneOf, optional, timestamp, Type, version } from '../../kernel/schema.ts';
import { isIdempotent } from '../idempotency.ts';
import { takesVersion } from '../versions.ts';
import { statuses } from '../output/errors.ts';

type Json = Record<string, unknown>;

const texts: Readonly<Record<ErrorKind, { when: string; example: string }>> = {
  invalid: {
    when: 'The path, query or body is invalid; `details` lists every problem',
    example: 'name: is required',
  },
  unauthenticated: {
    when: 'The API key, access token or session is missing, unknown, revoked or expired',
    example: 'The API key is unknown, revoked or expired.',
  },
  forbidden: {
    when: 'The role does not permit this operation, or a page of another origin sent the request with a session cookie',
    example: 'This needs the role member; the key or token has the role viewer.',
  },
  not_found: { when: 'The resource does not exist or belongs to another organization', example: 'No such agent.' },
  method_not_allowed: { when: 'The path does not support this method', example: '/ready allows GET, HEAD, not POST.' },
  request_timeout: { when: 'The request did not arrive in time', example: 'The request did not arrive in time.' },
  conflict: {
    when: 'The current state does not permit this operation; `message` names the state and what is possible',
    example: 'The campaign is running; pause or complete it first.',
  },
  not_connected: {
    when: 'No calendar account is connected',
    example: 'The organization has no connected calendar account.',
  },
  idempotency_in_progress: {
    when: 'The first request with this `Idempotency-Key` is still running',
    example: 'The first request with this Idempotency-Key is still running; try again shortly.',
  },
  precondition_failed: {
    when: '`If-Match` names an older version; nothing was changed, and `data` says what has changed since',
    example: 'Nothing was changed: the request is based on version 3, and the version is 4 now.',
  },
  too_large: {
    when: 'The body exceeds the size limit',
    example: 'The body is larger than the 1048576 bytes allowed here.',
  },
  unsupported_media_type: {
    when: 'The content type is not supported',
    example: 'Send the body as application/json.',
  },
  expectation_failed: {
    when: 'The `Expect` header is not `100-continue`',
    example: 'The only supported expectation is 100-continue.',
  },
  idempotency_mismatch: {
    when: 'The `Idempotency-Key` was already used with a different request',
    example: 'This Idempotency-Key was used with another request; choose a new one.',
  },
  rate_limited: {
    when: 'Too many requests; retry after the time in `Retry-After`',
    example: 'Too many requests with this key; try again in 1 s.',
  },
  headers_too_large: {
    when: 'The URL and headers are too long',
    example: 'The address and headers are too long.',
  },
  internal: {
    when: 'Unexpected error; `message` contains the request ID to look for in the server log',
    example: "Something went wrong on our side. The server's log has the details under request id 4f0c8a52.",
  },
  provider: {
    when: 'The calendar provider sent an invalid response or none',
    example: 'The calendar provider could not be reached.',
  },
  unavailable: {
    when: 'The server is starting, is shutting down, or cannot write to its storage',
    example: 'The server is draining; try again shortly.',
  },
};

/** The envelope of every error (docs/api/http.md, "Errors"). */
export const errorSchema = object(
  {
    success: Type.Unsafe<false>({ type: 'boolean', enum: [false] }),
    message: Type.String({ description: 'Human-readable explanation of the error' }),
    code: optional(
      oneOf(
        Object.values(statuses).flatMap(({ code }) => code ?? []),
        { description: 'Machine-readable error code. Absent on a 401 and on some 404 responses.' },
      ),
    ),
    details: optional(
      list(
        object({
          path: Type.String({
            description:
              'Field or parameter, such as schedule.windowStart or contacts[3].phone; empty for the whole body',
          }),
          message: Type.String(),
        }),
        { description: 'On a 400: every problem of the request' },
      ),
    ),
    data: optional(
      object(
        {
          version: version(),
          changed_at: nullable(timestamp('When the newest change was made; null if it was not a request about this')),
          changed_by: nullable(actorSchema()),
          changes: nullableChanges(
            'What changed since the version in `If-Match`; null if that is more than 50 versions or 30 days ago, or if a change was not a request about this, such as an import',
          ),
        },
        { description: 'On a 412: what has changed since the version in `If-Match`' },
      ),
    ),
  },
  { title: 'Error' },
);

/** Whether the path names a resource that may not exist. Ids without a format are covered by the route's `errors` instead. */
const namesResource = ({ params }: Route): boolean =>
  Object.values(params?.properties ?? {}).some((schema) => (schema as { format?: string }).format !== undefined);

/** The role may be too low, or the session cookie sent by a page of another origin. */
const mayForbid = ({ access, role, method, session }: Route): boolean =>
  access === 'public' ? session === 'opens' : role !== 'viewer' || method !== 'GET';

/** All errors that a route may answer with. */
export function errorKindsOf(route: Route): ErrorKind[] {
  const needsCredentials = route.access !== 'public';
  const hasBody = route.body !== undefined || route.upload !== undefined;
  const possible: ReadonlyArray<readonly [ErrorKind, boolean]> = [
    ['invalid', true],
    ['unauthenticated', needsCredentials || route.verifySignature !== undefined],
    ['forbidden', mayForbid(route)],
    ['not_found', namesResource(route)],
    ['precondition_failed', takesVersion(route)],
    ['idempotency_in_progress', isIdempotent(route)],
    ['conflict', isIdempotent(route) && (route.answersSecret === true || Boolean(route.ownTransactions))],
    ['request_timeout', hasBody],
    ['too_large', hasBody],
    ['unsupported_media_type', hasBody],
    ['expectation_failed', true],
    ['idempotency_mismatch', isIdempotent(route)],
    ['rate_limited', needsCredentials || route.verifySignature === undefined],
    ['headers_too_large', true],
    ['internal', true],
    ['unavailable', true],
  ];
  const implied = possible.filter(([, applies]) => applies).map(([kind]) => kind);
  return [...new Set([...implied, ...(route.errors ?? [])])];
}

const nameOf = (kind: ErrorKind): string =>
  kind.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** References to error responses by status. Kinds with the same status share a response, which is added to `components`. */
export function errorResponses(kinds: readonly ErrorKind[], components: Record<string, Json>): Json {
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
      message: texts[kind].example,
      ...(code === undefined ? {} : { code }),
      ...(details ? { details } : {}),
    };
  };
  return {
    description: kinds.map((kind) => texts[kind].when).join('. Or: '),
    headers: headersOf(kinds),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(
          kinds.map((kind) => [kind, { summary: texts[kind].when, value: exampleOf(kind) }]),
        ),
      },
    },
  };
}

const retryableKinds: ReadonlySet<ErrorKind> = new Set(['rate_limited', 'unavailable', 'idempotency_in_progress']);

function headersOf(kinds: readonly ErrorKind[]): Json {
  const reference = (name: string): Json => ({ $ref: `#/components/headers/${name}` });
  return {
    'X-Request-Id': reference('RequestId'),
    ...(kinds.some((kind) => retryableKinds.has(kind)) ? { 'Retry-After': reference('RetryAfter') } : {}),
    ...(kinds.includes('unauthenticated') ? { 'WWW-Authenticate': reference('Challenge') } : {}),
    ...(kinds.includes('rate_limited')
      ? { RateLimit: reference('RateLimit'), 'RateLimit-Policy': reference('RateLimitPolicy') }
      : {}),
  };
}
