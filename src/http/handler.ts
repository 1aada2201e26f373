import { Stream } from 'node:stream';
import type { Context } from 'koa';
import { AppError, invalid } from '../base/errors.ts';
import { faultPoint } from '../base/fault-points.ts';
import { transact } from '../db/transaction.ts';
import { actorOf, type Deed, idsIn, appendAudit } from '../features/requests/audit.ts';
import type { App } from '../kernel/app.ts';
import { pageOf } from '../kernel/paging.ts';
import { type Caller, type FormFile, type Route, roles } from '../kernel/route.ts';
import { asWritten } from './input/field-cases.ts';
import { authenticate } from './auth.ts';
import { type BodyReader, parseBody } from './input/bodies.ts';
import { downloadAnswer } from './output/downloads.ts';
import { type Once, onceRequest } from './idempotency.ts';
import { judgeOf, noQuery, rowJudgeOf } from './input/request-validator.ts';
import { isForm, type Received, type UploadReader } from './input/uploads.ts';
import { outputCheck } from './input/schema-validator.ts';

type Params = Readonly<Record<string, string>>;

/** Answers the requests of one path and method; `params` as they stand in the path, decoded. */
export type Handler = (ctx: Context, params: Params) => Promise<void> | void;

export type HandlerOptions = {
  readBody: BodyReader;
  readUpload: UploadReader;
  /** Counts a request against its caller's rate limit. */
  countRequest: (ctx: Context, caller: Caller) => void;
  once: Once;
  checkAnswers: boolean;
};

/** Nobody: what `public` routes get as caller. */
const nobody: Caller = { orgId: '', role: 'viewer', via: 'token', subject: '' };

/**
 * Turns one row of the route table into what answers its requests. The order of judgement is the contract's (section 12): 401, 429, 403,
 * 415, 413, 400, then 404 and 409 from the domain.
 */
export function createHandler(app: App, route: Route, options: HandlerOptions): Handler {
  const judge = judgeOf(app, route);
  const rowFaults = route.upload && rowJudgeOf(route.upload.row);
  const isAudited = changes(route) && route.readOnly !== true;
  const atOnce = unitOf(app, changes(route) && route.detached !== true);
  const together = unitOf(app, changes(route) && route.detached === true);
  const checkAnswer = options.checkAnswers && route.data ? outputCheck(route.data) : undefined;

  const perform = async (ctx: Context, caller: Caller, sent: Sent, keep?: Keep): Promise<object> => {
    const { params, bytes, file } = sent;
    const body = file && route.formFile ? {} : route.body ? parseBody(bytes) : undefined;
    const input = await judge({ caller, query: ctx.querystring === '' ? noQuery : ctx.query, params, body });
    const page = pageOf(input.query as { limit?: number; offset?: number });
    const request = {
      caller,
      params: input.params as never,
      query: input.query as never,
      body: input.body as never,
      upload: (file && { read: file.spool.read, rowFaults }) as never,
      file: file && route.formFile ? fileOf(file) : undefined,
      page,
      requestId: String(ctx.state['requestId']),
      ip: ctx.ip,
    };
    const prepared = route.prepare ? await route.prepare(app, request) : undefined;
    const answer = await atOnce(async () => {
      let reply: Awaited<ReturnType<Route['handle']>>;
      try {
        reply = await route.handle(app, request, prepared as never);
      } catch (error) {
        throw inCallersCase(error, input.written);
      }
      if (route.download && reply.download) return downloadAnswer(app, ctx, route.download, reply.download);
      const wrong = checkAnswer?.(reply.data);
      if (wrong !== undefined) throw new Error(`${route.operationId} answered against its schema: ${wrong}`);
      const envelope = {
        success: true,
        message: reply.message ?? route.message,
        ...(reply.data === undefined ? {} : { data: reply.data }),
        ...(reply.total === undefined ? {} : { meta: { total: reply.total, ...page } }),
      };
      if (isAudited || keep) {
        await together(async () => {
          if (isAudited) await appendAudit(app, app.db, deedOf(route, request, reply.data));
          await keep?.(envelope);
        });
      }
      faultPoint('request.uncommitted');
      return envelope;
    });
    faultPoint('request.committed');
    return answer;
  };

  return async (ctx, params) => {
    ctx.state['operation'] = route.operationId;
    const caller = route.access === 'public' ? nobody : await authenticate(app, ctx, route.access);
    if (route.access !== 'public') options.countRequest(ctx, caller);
    requireRole(caller, route);
    const judgeBytes = route.signature?.(app, (name) => ctx.get(name));
    const { bytes, file } = takes(route) ? await receive(ctx, route, options) : nothing;
    judgeBytes?.(bytes ?? Buffer.alloc(0));
    try {
      const once = onceRequest(ctx, route, caller, bytes ?? (file && digestOf(file)));
      const sent = { params, bytes, file };
      const isDetached = route.detached === true;
      if (once) await options.once(ctx, once, isDetached, (keep) => perform(ctx, caller, sent, keep));
      else answerWith(ctx, await perform(ctx, caller, sent));
    } finally {
      if (file) await file.spool.close();
    }
  };
}

/**
 * Answers with JSON, as text at once: given an object, Koa looks up its type as that of a file and sets its headers twice. A download
 * is answered as it is.
 */
function answerWith(ctx: Context, answer: object): void {
  if (answer instanceof Stream) {
    ctx.body = answer;
    return;
  }
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
  ctx.body = JSON.stringify(answer);
}

/** What came with a request: the parameters of its path, and the bytes of a body or a file. */
type Sent = { params: Params; bytes: Buffer | undefined; file: Received | undefined };

const takes = ({ body, upload, formFile }: Route): boolean => Boolean(body ?? upload ?? formFile);
const nothing: Omit<Sent, 'params'> = { bytes: undefined, file: undefined };

async function receive(ctx: Context, route: Route, options: HandlerOptions): Promise<Omit<Sent, 'params'>> {
  if (route.formFile && isForm(ctx)) return { bytes: undefined, file: await options.readUpload.form(ctx) };
  if (route.upload) return { bytes: undefined, file: await options.readUpload.text(ctx, route.upload) };
  return {
    bytes: await options.readBody(ctx, route.bodyLimit ?? 'json', route.formFile !== undefined),
    file: undefined,
  };
}

const fileOf = ({ spool, name, contentType }: Received): FormFile => ({
  name,
  contentType,
  size: spool.size(),
  read: spool.read,
});

/** Of a file: of its bytes, and of its name, where it has one. */
const digestOf = ({ spool, name }: Received): Buffer => Buffer.concat([spool.digest(), Buffer.from(name ?? '')]);

type Keep = (answer: object) => Promise<void>;

/** What a caller who is known may change something with. */
const changes = (route: Route): boolean => route.method !== 'GET' && route.access !== 'public';

/** Runs something as one transaction, or as it is. */
const unitOf =
  (app: App, isOne: boolean) =>
  <T>(run: () => Promise<T>): Promise<T> =>
    isOne ? transact(app.db, run) : run();

/** Who asked for what, and from where. */
type Asked = { caller: Caller; params: object; query: object; requestId: string; ip: string };

/** The audit log's entry: the operation, and the ids that its path, its query and its answer name. */
const deedOf = (route: Route, { caller, params, query, requestId, ip }: Asked, data: unknown): Deed => ({
  orgId: caller.orgId,
  actor: actorOf(caller),
  operation: route.operationId,
  target: targetOf({ ...idsIn(query), ...(params as Record<string, string>) }, idsIn(data)),
  requestId,
  ip,
});

/** An `id` in the answer that is not the path's is that of something made under it. */
const targetOf = (path: Record<string, string>, { id, ...made }: Record<string, string>): Record<string, string> => ({
  ...path,
  ...made,
  ...(id === undefined || id === path['id'] ? {} : { [path['id'] === undefined ? 'id' : 'new_id']: id }),
});

/** Services name places as the schema spells them; the answer names them as the caller did. */
function inCallersCase(error: unknown, written: ReadonlyMap<string, string>): unknown {
  if (!(error instanceof AppError) || error.kind !== 'invalid' || !error.details || written.size === 0) return error;
  return invalid(error.details.map((fault) => ({ ...fault, path: asWritten(fault.path, written) })));
}

function requireRole(caller: Caller, route: Route): void {
  if (route.access === 'public' || roles.indexOf(caller.role) >= roles.indexOf(route.role)) return;
  throw new AppError('forbidden', `This needs the role ${route.role}; the key or token has the role ${caller.role}.`);
}
