import { Stream } from 'node:stream';
import type { Context } from 'koa';
import { JsonObject, stringify } from '../../base/json.ts';
import { type Cursors, maxPageBytes } from '../../db/pages.ts';
import type { Page } from '../../kernel/paging.ts';
import type { Caller, Route } from '../../kernel/route.ts';
import { type CursorList, cursorOf } from '../input/cursors.ts';

type EnvelopedReply = { data?: unknown; total?: number; cursors?: Cursors; message?: string };
type ListRequest = { page: Page; caller: Caller; params: unknown; query: object };
type ListMeta = { total: number; limit: number; offset: number } | { limit: number; next: string | null };

type Envelope = { success: true; message: string; data?: unknown; meta?: ListMeta };

/** For the envelope of a page by `after`: computes its `meta` if only the first `rows` rows are sent. */
const shorterMeta = new WeakMap<object, (rows: number) => ListMeta>();

/** The envelope of a success (docs/api/http.md, "Paths and answers"); output/errors.ts builds that of an error. */
export function envelopeOf(route: Route, reply: EnvelopedReply, request: ListRequest, cursorKey: Uint8Array): object {
  const { data, total, cursors, message } = reply;
  const envelope: Envelope = { success: true, message: message ?? route.message };
  if (data !== undefined) envelope.data = data;
  if (total !== undefined) envelope.meta = metaOf(total, request.page, (data as unknown[]).length);
  if (!cursors) return envelope;
  const metaUpTo = (rows: number): ListMeta =>
    cursorMetaOf(cursors, { operationId: route.operationId, key: cursorKey, ...request }, rows);
  const withMeta = { ...envelope, meta: metaUpTo(cursors.positions.length) };
  shorterMeta.set(withMeta, metaUpTo);
  return withMeta;
}

/** `meta` of a page by offset. If the page ended early because of its size (see `readList`), `limit` is the number of its rows. */
function metaOf(total: number, { limit, offset }: Page, rows: number): ListMeta {
  const endedEarly = rows > 0 && rows < Math.min(limit, total - offset);
  return { total, limit: endedEarly ? rows : limit, offset };
}

/** `meta` of a page by `after` that shows only the first `rows` rows that were read. */
function cursorMetaOf({ positions, hasMore }: Cursors, list: ListRequest & CursorList, rows: number): ListMeta {
  const isLast = rows === positions.length && !hasMore;
  const last = positions[rows - 1];
  if (isLast || !last) return { limit: list.page.limit, next: null };
  return { limit: rows, next: cursorOf(last, list) };
}

/**
 * The JSON of an envelope. A page whose JSON would exceed `maxPageBytes` loses its last rows, because JSON can be larger than the rows were
 * in the database.
 */
function jsonOf(envelope: Partial<Envelope>): string {
  const text = stringify(envelope);
  const { data, meta } = envelope;
  if (!meta || text.length * maxBytesPerUnit <= maxPageBytes || Buffer.byteLength(text) <= maxPageBytes) return text;
  const rows: JsonObject[] = [];
  let bytes = 0;
  for (const row of data as object[]) {
    const json = new JsonObject(stringify(row));
    bytes += Buffer.byteLength(json.text) + 1;
    if (bytes > maxPageBytes - maxFrameBytes && rows.length > 0) break;
    rows.push(json);
  }
  const shorter = shorterMeta.get(envelope)?.(rows.length) ?? { ...meta, limit: rows.length };
  return stringify({ ...envelope, data: rows, meta: shorter });
}

/** UTF-8 bytes of a UTF-16 code unit. */
const maxBytesPerUnit = 3;
/** The largest size of an envelope without its rows. */
const maxFrameBytes = 1024;

/** The JSON of an envelope. The stream of a download becomes the body of `ctx` instead. */
export function answerOf(ctx: Context, answer: object): string | undefined {
  if (!(answer instanceof Stream)) return jsonOf(answer);
  ctx.body = answer;
  return undefined;
}
