import { Readable, Stream } from 'node:stream';
import type { Context } from 'koa';
import { AppError, invalid } from '../base/errors.ts';
import { faultPoint } from '../base/fault-points.ts';
import { onBehalfOf } from '../base/on-behalf-of.ts';
import { transact, unguarded } from '../db/transaction.ts';
import { appendAudit } from '../features/requests/audit.ts';
import type { App } from '../kernel/app.ts';
import { type Caller, type FormFile, hasOwnTransactions, type Route } from '../kernel/route.ts';
import { auditEntryOf, nameBefore } from './audit-entry.ts';
import type { StoreAnswer } from './idempotency.ts';
import { type CallerPaths, callerPathOf } from './input/field-cases.ts';
import { pageFor } from './input/cursors.ts';
import { parseQuery } from './input/query.ts';
import { emptyQuery, requestValidator, rowValidator } from './input/request-validator.ts';
import { createAnswerCheck } from './input/schema-validator.ts';
import type { ReceivedFile } from './input/uploads.ts';
import { type CheckAnswer, downloadAnswer, jsonAnswer } from './output/downloads.ts';
import { eventStreamAnswer } from './output/event-stream.ts';
import { envelopeOf } from './output/envelope.ts';
import { expectedVersion, setVersionTag, withVersion } from './versions.ts';

/** An authenticated request whose body has been read, but not yet parsed. */
export type RequestInput = {
  caller: Caller;
  params: Readonly<Record<string, string>>;
  bytes?: Buffer | undefined;
  file?: ReceivedFile | undefined;
  /** Tells the watchdog that this request continues after waiting. */
  mark: () => void;
  stillAllowed: () => Promise<boolean>;
};

/** Returns the answer: an envelope, or the stream of a download. `storeAnswer` is given for idempotent requests. */
type OperationRunner = (ctx: Context, input: RequestInput, storeAnswer?: StoreAnswer) => Promise<object>;

/**
 * Runs an operation: validates the request, calls `handle`, and appends to the audit log. For an operation that changes data, all of it
 * including the stored answer commits in one transaction; with `ownTransactions`, only the audit entry and the stored answer do.
 */
export function createOperationRunner(app: App, route: Route, checkAnswers: boolean): OperationRunner {
  const { cursorKey } = app.secrets;
  const validate = requestValidator(app, route);
  const rowFaults = route.upload && rowValidator(route.upload.rowSchema);
  const isChanging = mayChangeData(route);
  const isAudited = isChanging && route.readOnly !== true;
  const checkAnswer = checkAnswers && route.data ? createAnswerCheck(route.data) : undefined;

  return async (ctx, { caller, params, bytes, file, mark, stillAllowed }, storeAnswer) => {
    // Before the body is validated: a large one is moved to another thread, and its buffer here is then empty.
    const isOwn = hasOwnTransactions(route, bytes?.length ?? 0);
    const { querystring } = ctx.request;
    const query = querystring === '' ? emptyQuery : parseQuery(querystring);
    const validated = validate({ caller, query, params, bytes: file && route.formFile ? emptyForm : bytes });
    const input = validated instanceof Promise ? await validated : validated;
    mark();
    const request = {
      caller,
      params: input.params as never,
      query: input.query as never,
      body: input.body as never,
      upload: (file && uploadOf(ctx, file, rowFaults)) as never,
      file: file && route.formFile ? formFileOf(file) : undefined,
      page: pageFor(route, { caller, params: input.params, query: input.query as object }, cursorKey),
      requestId: String(ctx.state['requestId']),
      stillAllowed,
      ip: ctx.ip,
      userAgent: ctx.headers['user-agent'] ?? null,
      wantsEvents: route.events !== undefined && prefers(ctx, 'text/event-stream'),
    };
    const expected = expectedVersion(ctx, route);
    const prepared = route.prepare ? await route.prepare(app, request) : undefined;
    const handle = (): Promise<Reply> => {
      mark();
      const run = () => onBehalfOf(caller.orgId, () => route.handle(app, request, prepared as never));
      return withCallerPaths(input.callerPaths, run);
    };
    const answerFor = (reply: Reply): object => {
      const streamed = streamOf(app, ctx, route, reply, checkAnswer);
      if (streamed) return streamed;
      const mismatch = checkAnswer?.(reply.data);
      if (mismatch !== undefined) throw new Error(`${route.operationId} answered against its schema: ${mismatch}`);
      if (route.csv && prefers(ctx, 'text/csv')) {
        const { fileName, linesOf } = route.csv;
        const spec = { contentType: 'text/csv', description: '' };
        return downloadAnswer(app, ctx, spec, { fileName, content: Readable.from(linesOf(reply.data)) });
      }
      return envelopeOf(route, reply, request, cursorKey);
    };
    const change = async (): Promise<{ reply: Reply; answer: object }> => {
      const targetName = isAudited ? await nameBefore(app, route, request) : undefined;
      const { reply, changes } = route.versioned
        ? await withVersion(app, route.versioned, request, expected, handle)
        : { reply: await handle(), changes: undefined };
      const answer = answerFor(reply);
      const isRecorded = isAudited && reply.changedNothing !== true && reply.hasOwnEntry !== true;
      if ((isRecorded || storeAnswer) && !(answer instanceof Stream)) {
        const record = async (): Promise<void> => {
          if (isRecorded) await appendAudit(app, app.db, auditEntryOf(route, request, reply, { changes, targetName }));
          await storeAnswer?.(answer);
        };
        // Own transactions have committed the change, so it is recorded even if its caller has been removed since.
        await (isChanging && isOwn ? unguarded(() => transact(app.db, caller.orgId, record)) : record());
      }
      faultPoint('request.uncommitted');
      return { reply, answer };
    };
    if (route.method === 'GET') {
      const reply = await handle();
      if (reply.headers) ctx.set(reply.headers);
      setVersionTag(ctx, route, reply);
      mark();
      return answerFor(reply);
    }
    const { reply, answer } = await transactIf(isChanging && !isOwn, app, caller, change);
    faultPoint('request.committed');
    if (reply.headers) ctx.set(reply.headers);
    setVersionTag(ctx, route, reply);
    mark();
    return answer;
  };
}

function streamOf(app: App, ctx: Context, route: Route, reply: Reply, checkAnswer: CheckAnswer): Readable | undefined {
  const { stream, download, dataJson } = reply;
  if (stream) return eventStreamAnswer(ctx, stream);
  if (dataJson) return jsonAnswer(app, ctx, { dataJson, message: route.message, checkAnswer });
  if (download && 'follow' in download) return eventStreamAnswer(ctx, download);
  return route.download && download && downloadAnswer(app, ctx, route.download, download);
}

const prefers = (ctx: Context, type: string): boolean => ctx.accepts(['application/json', type]) === type;

type Reply = Awaited<ReturnType<Route['handle']>>;

/** A form has no fields but its file, which `body` does not show. */
const emptyForm = Buffer.from('{}');

/** Changes by `public` operations are not audited and manage their own transactions: there is no caller to attribute them to. */
const mayChangeData = (route: Route): boolean => route.method !== 'GET' && route.access !== 'public';

const transactIf = <T>(condition: boolean, app: App, { orgId }: Caller, run: () => Promise<T>): Promise<T> =>
  condition ? transact(app.db, orgId, run) : run();

const uploadOf = (ctx: Context, { spool, contentType }: ReceivedFile, rowFaults: unknown) => ({
  file: { descriptor: spool.descriptor, size: spool.size() },
  contentType,
  rowFaults,
  isAbandoned: () => ctx.res.destroyed,
});

const formFileOf = ({ spool, name, contentType }: ReceivedFile): FormFile => ({
  name,
  contentType,
  size: spool.size(),
  read: spool.read,
});

/** Services report faults under the schema's field names; this renames them to the names that the caller sent. */
function withCallerPaths<T>(callerPaths: CallerPaths, run: () => Promise<T>): Promise<T> {
  return callerPaths.size === 0 ? run() : run().catch((error: unknown) => throwRenamed(error, callerPaths));
}

function throwRenamed(error: unknown, callerPaths: CallerPaths): never {
  if (!(error instanceof AppError) || error.kind !== 'invalid' || !error.details) throw error;
  throw invalid(error.details.map((fault) => ({ ...fault, path: callerPathOf(fault.path, callerPaths) })));
}
