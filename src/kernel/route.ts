import type { TObject } from '../base/typebox.ts';
import type { ErrorKind, Fault } from '../base/errors.ts';
import type { Cursors } from '../db/pages.ts';
import type { App } from './app.ts';
import type { Page } from './paging.ts';
import type { Static, TSchema } from './schema.ts';

export const roles = ['viewer', 'member', 'admin'] as const;
/**
 * `viewer` reads; `member` does everything but manage keys, users and the organization; `admin` does everything (docs/api/access.md,
 * "Roles").
 */
export type Role = (typeof roles)[number];

/** Of two roles, the one with fewer rights. */
export const lesserRole = (a: Role, b: Role): Role => (roles.indexOf(a) < roles.indexOf(b) ? a : b);

/**
 * The kind and owner of a caller's credentials. A token counts as the API key or user that requested it. `issuer`: a subject of the
 * configured token issuer; `installation`: the token in the ready file, which belongs to no key.
 */
export type Identity = 'api_key' | 'user' | 'issuer' | 'installation';

/** The authenticated caller of a request. */
export type Caller = {
  /** Every query of the request is restricted to this organization. */
  orgId: string;
  /** The role at the time of this request. A token never has more rights than its API key or user has now. */
  role: Role;
  via: 'api_key' | 'token' | 'session';
  identity: Identity;
  /** Unique among the callers of one identity. */
  subject: string;
  /** Name of the API key, or the person's e-mail address; null if unknown. */
  name: string | null;
  /** The session of the request, or the one that its token was taken with. */
  sessionId?: string;
  /** Unix seconds; only set for access tokens. */
  tokenExpiresAtSec?: number;
};

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Which limit applies to the size of a request body. `public`: for operations without credentials. The others: see `http.body_limits`. */
export type BodyLimit = 'public' | 'json' | 'large' | 'file';

/** A file as the request body: sent directly, or as the part `file` of a `multipart/form-data` body. */
export type UploadSpec = {
  /** Content types of a file sent directly, such as `text/csv`; the first one is that of the example. */
  contentTypes: readonly [string, ...string[]];
  description: string;
  /** Schema of one row, after the row has been parsed into an object. */
  rowSchema: TSchema;
};

/** A complete file, no larger than `http.body_limits.import`. It is deleted when the request has been answered. */
export type Upload = {
  /** A descriptor to read by position, also from other threads. */
  file: { descriptor: number; size: number };
  /** As sent, with its parameters. */
  contentType: string | null;
  /** Validates one row against `rowSchema`; messages are worded as for JSON bodies. */
  rowFaults(row: unknown): Fault[];
  /** Whether the client has closed the connection, so that nobody will read the answer. */
  isAbandoned(): boolean;
};

/**
 * Things that two people may edit at once. Their `version` counts the changes of what people set, so that a request can name the version it
 * is based on (`If-Match`).
 */
export type Versioned = {
  table: 'agents' | 'campaigns' | 'contacts' | 'phone_numbers' | 'knowledge_bases' | 'organizations' | 'saved_views';
  /** The thing that the path names; undefined if there is none, which `handle` answers with 404. */
  find(app: App, orgId: string, params: Readonly<Record<string, string>>): Promise<VersionedThing | undefined>;
  /** Settings whose changes are recorded but do not count as a version. */
  uncounted?: readonly string[];
  /** Settings whose values are never shown. */
  secret?: readonly string[];
};

/** `settings` are the fields that people set, with the names and values that answers have. */
export type VersionedThing = { id: string; version: number; settings: object };

/** A file as the part `file` of a `multipart/form-data` body, sent instead of a JSON body. */
export type FormFileSpec = { description: string };

/** A complete file, no larger than `http.body_limits.file`. It is deleted when the request has been answered. */
export type FormFile = {
  /** File name from the form, if the sender gave one. */
  name: string | null;
  contentType: string | null;
  size: number;
  read(): AsyncIterable<Buffer>;
};

/** A file as the response, without the envelope. */
export type DownloadSpec = {
  contentType: string;
  /** Content types of the same download in other formats; the query chooses. */
  otherContentTypes?: readonly string[];
  description: string;
};

/** `content` is generated as the client reads it, and generation stops when the client disconnects. */
export type Download = {
  fileName: string;
  /** Default: the `contentType` of the operation. */
  contentType?: string;
  content: AsyncIterable<string> | AsyncIterable<Buffer>;
};

/** A file of known size, of which a client may ask for a part. `to` is excluded. */
export type RangedDownload = {
  fileName: string;
  size: number;
  read(this: void, from: number, to: number): AsyncIterable<Buffer>;
  close(this: void): Promise<void>;
};

/** An answer that goes on until either side ends it. */
export type EventStream = {
  follow(receiver: EventReceiver): {
    /** To be called when the reader has taken what was written. */
    drained(): void;
    /** To be called when the connection is closed. */
    leave(): void;
  };
};

export type EventReceiver = {
  /** Returns false when the reader is slow: write no more until `drained`. */
  write(chunk: string | Buffer): boolean;
  end(): void;
  /** Cuts the connection, unless everything has been sent. */
  destroy(): void;
};

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;

export type RouteRequest<P, Q, B, U = undefined> = {
  caller: Caller;
  params: StaticOr<P, Record<never, never>>;
  query: StaticOr<Q, Record<never, never>>;
  body: StaticOr<B, undefined>;
  upload: U extends UploadSpec ? Upload : undefined;
  /** Set when the operation has `formFile` and the request is a form; `body` is `{}` then. */
  file: FormFile | undefined;
  /** `limit` and `offset` of a paged list; the defaults for any other operation. */
  page: Page;
  requestId: string;
  /** Whether the caller's credentials are still valid; for answers that go on for long. */
  stillAllowed: () => Promise<boolean>;
  /** Address of the client (`http.trusted_proxies`). */
  ip: string;
  userAgent: string | null;
  /** Whether the client prefers a stream of events; only for an operation with `events`. */
  wantsEvents: boolean;
};

/** A request whose schema check already failed. `body` holds only the fields that passed. */
export type FaultyRequest<P, B> = Pick<RouteRequest<P, undefined, B>, 'caller' | 'params'> & {
  body: Partial<StaticOr<B, Record<never, never>>>;
  /** Names of all fields in the body, including the ones that failed. */
  presentFields: ReadonlySet<string>;
};

export type Reply<D, F = undefined> = F extends DownloadSpec
  ? { download: Download | RangedDownload | EventStream }
  : EnvelopedReply<D>;

/** `dataJson`: the JSON of `data` in parts, generated as the client reads it, for an answer that may be too large for memory. */
type DataReply<D extends TSchema> = { data: Static<D> } | { stream: EventStream } | { dataJson: AsyncIterable<string> };

type EnvelopedReply<D> = (D extends TSchema ? DataReply<D> : { data?: never }) & {
  /** The request changed nothing, so it is not written to the audit log. */
  changedNothing?: boolean;
  /** `handle` has written the audit entry itself, in the transaction of the change. */
  hasOwnEntry?: boolean;
  /** Added to the target of the audit entry. */
  auditTarget?: Readonly<Record<string, string>>;
  /** Number of rows in the whole list; for paged operations. */
  total?: number;
  /** Set instead of `total` when the page was requested with the parameter `after`: where each row stands, and whether more follow. */
  cursors?: Cursors;
  /** Replaces the operation's `message`. */
  message?: string;
  /** Headers of the answer, such as a cookie; not part of an answer that is stored for an `Idempotency-Key`. */
  headers?: Readonly<Record<string, string>>;
};

/** `any`: API key, access token or session. `bearer`: access token or session. `session`: session only. `public`: no credentials. */
export type Access = 'public' | 'any' | 'bearer' | 'session';

/** Writing what a smaller body lists takes some 15 ms. */
const largeBodyBytes = 8192;

/** Whether `handle` of an operation runs outside of a transaction for this body. */
export const hasOwnTransactions = (
  { ownTransactions = false }: { ownTransactions?: boolean | 'large' },
  bodyBytes: number,
): boolean => (ownTransactions === 'large' ? bodyBytes > largeBodyBytes : ownTransactions);

/** Where an operation is served, and to whom. `path` has `{name}` placeholders; it works with and without a trailing slash. */
export type Address = { method: Method; path: string; access: Access; role: Role };

/**
 * One operation of the API as data. It yields the validators and the types of `handle` and, together with its address
 * (features/interface.ts), the router, the OpenAPI document and the typed client.
 */
export type OperationSpec<P, Q, B, D, U = undefined, F = undefined, W = undefined> = {
  operationId: string;
  tag: string;
  summary: string;
  /**
   * For a `public` operation of browsers: `caller` is the person of the session, if the request has one. `opens`: the answer sets the
   * session cookie, so a request is refused when the browser says that a page of another origin made it.
   */
  session?: 'opens' | 'reads';
  /**
   * For a `public` operation with signed requests. Checks the signature headers and returns a function that verifies the body. The headers
   * come first, so that an unsigned request is rejected before its body is read.
   * @throws unauthenticated, as does the returned function; notFound when the server takes no such requests
   */
  verifySignature?(app: App, header: (name: string) => string): (body: Buffer) => void;
  /**
   * For a `public` operation: whether a request is answered although its address has used up its rate limit. The body has been read but
   * not validated.
   */
  isExemptFromRateLimit?(app: App, request: { body: Buffer | undefined; ip: string }): Promise<boolean>;
  /** An invalid value answers 404 "No such <description>." for a parameter of format `uuid`, and 400 for any other. */
  params?: P;
  query?: Q;
  body?: B;
  bodyLimit?: BodyLimit;
  /** A request without a body counts as one with `{}`. */
  bodyOptional?: boolean;
  /** A typical body for the documentation. Without it, one is generated from the schema's required fields. */
  example?: U extends UploadSpec ? string : StaticOr<B, undefined>;
  /** Accept the body's fields in camelCase and in snake_case. */
  acceptsBothCases?: boolean;
  /** Replaces `body`. `handle` runs only after the whole file has arrived. */
  upload?: U;
  /** Alternative to the JSON body; `body`'s schema must accept `{}`. */
  formFile?: FormFileSpec;
  data?: D;
  /** The data as CSV, for requests that prefer `text/csv`. */
  csv?: { fileName: string; linesOf: (data: unknown) => Iterable<string> };
  /** The answer as server-sent events, for requests that prefer `text/event-stream`: what the events are. `handle` answers a `stream`. */
  events?: string;
  /** Replaces `data`. */
  download?: F;
  /**
   * The answer shows a thing of this kind, or the path names one. With it, an answer has the version as `ETag`, and a request that changes
   * the thing may send `If-Match`.
   */
  versioned?: Versioned;
  /** A POST that changes the thing: it may send `If-Match`, as every PUT, PATCH and DELETE of one may. */
  takesVersion?: boolean;
  /** `cursor`: also by `after`, for lists that may be long and are walked while rows come and go. */
  paged?: boolean | 'cursor';
  /**
   * `handle` of a non-GET operation runs in one transaction, unless this is set. Set it when `handle` awaits anything but queries
   * (network, a worker thread): an open transaction would block every other query of the process meanwhile. `large`: only for bodies of more
   * than `largeBodyBytes`, which `handle` writes in batches.
   */
  ownTransactions?: boolean | 'large';
  /** A non-GET operation that changes nothing: it is not written to the audit log, and an `Idempotency-Key` has no effect on it. */
  readOnly?: boolean;
  /** The answer holds a secret, so it is never stored: repeating the request with the same `Idempotency-Key` is answered with 409. */
  answersSecret?: boolean;
  /**
   * It may forbid calls that have not rung: its answer waits until their carrier has taken them back, for a second at most (docs/calling.md,
   * "Until the telephone rings").
   */
  forbidsCalls?: boolean;
  /** The envelope's `message` on success. */
  message: string;
  /**
   * Errors to document in OpenAPI beyond those that follow from the other fields (validation, authentication, the body's type and
   * size, unknown ids in the path).
   */
  errors?: readonly ErrorKind[];
  /** Served, but left out of the OpenAPI document. */
  undocumented?: boolean;
  /** Requests of a lesser role that are allowed all the same, by their query. Only for a GET. */
  lesserRole?: { role: Role; may: string; allows(query: Readonly<Record<string, readonly string[]>>): boolean };
  /**
   * Faults that a schema cannot express, so that one answer lists all faults of a request. Called only when the schema found some
   * already; otherwise `handle` itself makes these checks.
   */
  additionalFaults?(app: App, request: FaultyRequest<P, B>): Promise<readonly Fault[]> | readonly Fault[];
  /**
   * Runs before the transaction of `handle`, which receives its result, so it may await anything. It must change nothing that callers
   * can see, and whatever it writes must be cleaned up if `handle` never uses it.
   */
  prepare?(app: App, request: RouteRequest<P, Q, B, U>): Promise<W>;
  handle(app: App, request: RouteRequest<P, Q, B, U>, prepared: W): Promise<Reply<D, F>>;
};

/** An operation with the types of its schemas erased, so that all fit in one table. */
export type Operation = Omit<
  OperationSpec<TObject, TObject, TSchema, TSchema, UploadSpec, DownloadSpec>,
  'handle' | 'prepare' | 'additionalFaults' | 'example'
> & {
  example?: unknown;
  additionalFaults?(
    app: App,
    request: { caller: Caller; params: never; body: never; presentFields: ReadonlySet<string> },
  ): Promise<readonly Fault[]> | readonly Fault[];
  prepare?(app: App, request: AnyRequest): Promise<unknown>;
  handle(
    app: App,
    request: AnyRequest,
    prepared: never,
  ): Promise<{
    data?: unknown;
    total?: number;
    cursors?: Cursors;
    message?: string;
    changedNothing?: boolean;
    hasOwnEntry?: boolean;
    headers?: Readonly<Record<string, string>>;
    download?: Download | EventStream;
    stream?: EventStream;
    dataJson?: AsyncIterable<string>;
  }>;
};

type AnyRequest = Omit<RouteRequest<never, never, never>, 'upload'> & { upload: never };

export type Route = Operation & Address;

/** A row of the table of all routes; see features/interface.ts for the meaning of role and access. */
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
