import type { TObject } from 'typebox';
import type { Fault } from '../base/errors.ts';
import type { App } from './app.ts';
import type { Page } from './paging.ts';
import type { Static, TSchema } from './schema.ts';

export const roles = ['viewer', 'member', 'admin'] as const;
/** `viewer` reads, `member` does everything but keys, people and organization settings, `admin` everything (contract, section 12). */
export type Role = (typeof roles)[number];

/** Who asks. Every query of a request is bound to `orgId`. */
export type Caller = { orgId: string; role: Role; via: 'api_key' | 'token'; subject: string };

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type BodyLimit = 'json' | 'large' | 'file';

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;

export type RouteRequest<P, Q, B> = {
  caller: Caller;
  params: StaticOr<P, Record<never, never>>;
  query: StaticOr<Q, Record<never, never>>;
  body: StaticOr<B, undefined>;
  /** `limit` and `offset` of a paged list; the defaults elsewhere. */
  page: Page;
  requestId: string;
};

/** A request in which faults were found already; of its body only the fields that are without. */
export type FaultyRequest<P, B> = Pick<RouteRequest<P, undefined, B>, 'caller' | 'params'> & {
  body: Partial<StaticOr<B, Record<never, never>>>;
};

export type Reply<D> = (D extends TSchema ? { data: Static<D> } : { data?: never }) & {
  /** Of a paged list: how many there are in all. */
  total?: number;
  /** Instead of the route's own sentence. */
  message?: string;
};

/** One operation of the interface. The router, the validators, the types of `handle` and the OpenAPI document all come from it. */
export type RouteSpec<P, Q, B, D> = {
  operationId: string;
  method: Method;
  /** With `{name}` for parameters; works with and without a trailing slash. */
  path: string;
  tag: string;
  summary: string;
  /** `any`: API key or bearer token. `bearer`: a token only. `public`: nobody in particular. */
  access: 'public' | 'any' | 'bearer';
  role: Role;
  /**
   * For a `public` route whose caller signs: judges the headers, and returns what judges the bytes of the body. Both throw
   * `unauthenticated`, the former before a body is read that nobody vouches for.
   */
  signature?(app: App, header: (name: string) => string): (body: Buffer) => void;
  /** A parameter of format `uuid` that is none answers 404 "No such <title>.", any other faulty one 400. */
  params?: P;
  query?: Q;
  body?: B;
  bodyLimit?: BodyLimit;
  /** The body may be left out altogether. */
  bodyOptional?: boolean;
  /** Fields of the body may be given in snake_case as well (contract, section 1). */
  bothCases?: boolean;
  data?: D;
  paged?: boolean;
  /**
   * `handle` of an operation other than GET is one transaction, whatever it calls. Not so a detached one: it awaits more than queries
   * (the network, a computation, the work of others), during which nobody else could ask the database anything.
   */
  detached?: boolean;
  /** The envelope's sentence on success. */
  message: string;
  /**
   * What else is wrong, which the schema cannot say, so that a request's faults come all at once. Asked only when the schema has
   * found faults: a request without any is judged by `handle`.
   */
  furtherFaults?(app: App, request: FaultyRequest<P, B>): Promise<readonly Fault[]> | readonly Fault[];
  handle(app: App, request: RouteRequest<P, Q, B>): Promise<Reply<D>>;
};

/** A route whose schemas' types are forgotten: what the table holds. */
export type Route = Omit<RouteSpec<TObject, TObject, TSchema, TSchema>, 'handle' | 'furtherFaults'> & {
  furtherFaults?(
    app: App,
    request: { caller: Caller; params: never; body: never },
  ): Promise<readonly Fault[]> | readonly Fault[];
  handle(
    app: App,
    request: RouteRequest<never, never, never>,
  ): Promise<{ data?: unknown; total?: number; message?: string }>;
};

export const route = <
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  D extends TSchema | undefined = undefined,
>(
  spec: RouteSpec<P, Q, B, D>,
): Route => spec as unknown as Route;
