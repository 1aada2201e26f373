import type { TObject } from '../base/typebox.ts';
import type { ErrorKind, Fault } from '../base/errors.ts';
import type { App } from './app.ts';
import type { Page } from './paging.ts';
import type { Static, TSchema } from './schema.ts';

export const roles = ['viewer', 'member', 'admin'] as const;
/** `viewer` reads, `member` does everything but keys, people and organization settings, `admin` everything (contract, section 12). */
export type Role = (typeof roles)[number];

/** Who asks. Every query of a request is bound to `orgId`. `tokenExpiresAtSec`: Unix seconds, for whom a token speaks. */
export type Caller = {
  orgId: string;
  role: Role;
  via: 'api_key' | 'token';
  subject: string;
  tokenExpiresAtSec?: number;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type BodyLimit = 'json' | 'large' | 'file';

/** A text file as the body of a request: by itself, or as the part `file` of a `multipart/form-data` body. */
export type UploadSpec = {
  /** What it is when it is sent by itself, such as `text/csv`. */
  contentType: string;
  description: string;
  /** What a row of the file is judged by, once it is a value. */
  row: TSchema;
};

/** A file that has arrived: whole, not larger than `http.body_limits.file`, and UTF-8. It goes when the request is answered. */
export type Upload = {
  /** Its bytes from the beginning, a piece at a time; as often as wanted. */
  read(): AsyncIterable<Buffer>;
  /** What the schema of a row finds wrong with one, worded as for bodies. */
  rowFaults(row: unknown): Fault[];
};

/** A file as the part `file` of a `multipart/form-data` body, in the place of a JSON body. */
export type FormFileSpec = { description: string };

/** Such a file, whole, not larger than `http.body_limits.file`. It goes when the request is answered. */
export type FormFile = {
  /** What its sender calls it. */
  name: string | null;
  contentType: string | null;
  size: number;
  read(): AsyncIterable<Buffer>;
};

/** A text file as the answer, not enveloped. */
export type DownloadSpec = { contentType: string; description: string };

/** Its text, made as fast as it is taken: one that nobody takes any more is not made to its end. */
export type Download = { fileName: string; content: AsyncIterable<string> };

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;

export type RouteRequest<P, Q, B, U = undefined> = {
  caller: Caller;
  params: StaticOr<P, Record<never, never>>;
  query: StaticOr<Q, Record<never, never>>;
  body: StaticOr<B, undefined>;
  upload: U extends UploadSpec ? Upload : undefined;
  /** With `formFile`, when one was sent; the body is `{}` then. */
  file: FormFile | undefined;
  /** `limit` and `offset` of a paged list; the defaults elsewhere. */
  page: Page;
  requestId: string;
  /** Where it came from; behind a proxy, the proxy. */
  ip: string;
};

/** A request in which faults were found already; of its body only the fields that are without. */
export type FaultyRequest<P, B> = Pick<RouteRequest<P, undefined, B>, 'caller' | 'params'> & {
  body: Partial<StaticOr<B, Record<never, never>>>;
  /** The body's fields, also those with faults. */
  given: ReadonlySet<string>;
};

export type Reply<D, F = undefined> = F extends DownloadSpec ? { download: Download } : EnvelopedReply<D>;

type EnvelopedReply<D> = (D extends TSchema ? { data: Static<D> } : { data?: never }) & {
  /** Of a paged list: how many there are in all. */
  total?: number;
  /** Instead of the route's own sentence. */
  message?: string;
};

/** `any`: API key or bearer token. `bearer`: a token only. `public`: neither. */
export type Access = 'public' | 'any' | 'bearer';

/** Where an operation is reached, and by whom. `path` has `{name}` for parameters and works with and without a trailing slash. */
export type Address = { method: Method; path: string; access: Access; role: Role };

/**
 * One operation of the interface. The validators, the types of `handle` and, with its address (features/interface.ts), the router and
 * the OpenAPI document come from it.
 */
export type OperationSpec<P, Q, B, D, U = undefined, F = undefined, W = undefined> = {
  operationId: string;
  tag: string;
  summary: string;
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
  /** A body that shows what is usual; else one is made up from the schema, of the fields that are required. */
  example?: U extends UploadSpec ? string : StaticOr<B, undefined>;
  /** Fields of the body may be given in snake_case as well (contract, section 1). */
  bothCases?: boolean;
  /** Instead of `body`. The whole file is here, and known to be text, before `handle` is called. */
  upload?: U;
  /** May be sent instead of `body`, whose schema takes `{}`. */
  formFile?: FormFileSpec;
  data?: D;
  /** Instead of `data`. */
  download?: F;
  paged?: boolean;
  /**
   * `handle` of an operation other than GET is one transaction, whatever it calls. Not so a detached one: it awaits more than queries
   * (the network, a computation, the work of others), during which nobody else could ask the database anything.
   */
  detached?: boolean;
  /** An operation other than GET that changes nothing: the audit log has no entry of it. */
  readOnly?: boolean;
  /** The envelope's sentence on success. */
  message: string;
  /**
   * What it may be refused with beyond what follows from the other fields (faults, who calls, the body's kind and size, ids in the
   * path that nothing has): for the OpenAPI document.
   */
  refuses?: readonly ErrorKind[];
  /** Answered, but no operation of the interface: not in the OpenAPI document. */
  undocumented?: boolean;
  /**
   * What else is wrong, which the schema cannot say, so that a request's faults come all at once. Asked only when the schema has
   * found faults: a request without any is judged by `handle`.
   */
  furtherFaults?(app: App, request: FaultyRequest<P, B>): Promise<readonly Fault[]> | readonly Fault[];
  /**
   * What `handle` is given beside the request: made before its transaction, so it may await anything. It changes nothing that
   * anybody sees, and what it writes is cleared away if nothing comes of it.
   */
  prepare?(app: App, request: RouteRequest<P, Q, B, U>): Promise<W>;
  handle(app: App, request: RouteRequest<P, Q, B, U>, prepared: W): Promise<Reply<D, F>>;
};

/** An operation without the types of its schemas. */
export type Operation = Omit<
  OperationSpec<TObject, TObject, TSchema, TSchema, UploadSpec, DownloadSpec>,
  'handle' | 'prepare' | 'furtherFaults' | 'example'
> & {
  example?: unknown;
  furtherFaults?(
    app: App,
    request: { caller: Caller; params: never; body: never; given: ReadonlySet<string> },
  ): Promise<readonly Fault[]> | readonly Fault[];
  prepare?(app: App, request: AnyRequest): Promise<unknown>;
  handle(
    app: App,
    request: AnyRequest,
    prepared: never,
  ): Promise<{ data?: unknown; total?: number; message?: string; download?: Download }>;
};

type AnyRequest = Omit<RouteRequest<never, never, never>, 'upload'> & { upload: never };

export type Route = Operation & Address;

/** A row of the table of all routes (features/interface.ts), which says what the role and the access mean. */
export type RouteRow = readonly [Method, path: string, Operation, Role | 'public', Access?];

export const routeOf = ([method, path, operation, role, access]: RouteRow): Route =>
  bind(operation, {
    method,
    path,
    role: role === 'public' ? 'viewer' : role,
    access: role === 'public' ? 'public' : (access ?? 'any'),
  });

export const bind = (operation: Operation, address: Address): Route => ({ ...operation, ...address });

export const operation = <
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  B extends TSchema | undefined = undefined,
  D extends TSchema | undefined = undefined,
  U extends UploadSpec | undefined = undefined,
  F extends DownloadSpec | undefined = undefined,
  W = undefined,
>(
  spec: OperationSpec<P, Q, B, D, U, F, W>,
): Operation => spec as unknown as Operation;
