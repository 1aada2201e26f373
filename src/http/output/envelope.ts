import { Stream } from 'node:stream';
import type { Context } from 'koa';
import { JsonObject, stringify } from '../../base/json.ts';
import { maxPageBytes } from '../../db/prepared.ts';
import type { Page } from '../../kernel/paging.ts';
import type { Route } from '../../kernel/route.ts';

type EnvelopedReply = { data?: unknown; total?: number; message?: string };

/** The envelope of a success (contract, section 1); output/errors.ts builds that of an error. */
export const envelopeOf = (route: Route, { data, total, message }: EnvelopedReply, page: Page): object => ({
  success: true,
  message: message ?? route.message,
  ...(data === undefined ? {} : { data }),
  ...(total === undefined ? {} : { meta: metaOf(total, page, (data as unknown[]).length) }),
});

/** `limit` is the number of rows if the page ended early (see `readPage`). */
function metaOf(total: number, { limit, offset }: Page, rows: number): ListMeta {
  const endedEarly = rows > 0 && rows < Math.min(limit, total - offset);
  return { total, limit: endedEarly ? rows : limit, offset };
}

type ListMeta = { total: number; limit: number; offset: number };

/** The JSON of an envelope. That of a page can be larger than its rows were; it ends early at the limit of a page, too. */
function jsonOf(envelope: { data?: unknown; meta?: ListMeta }): string {
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
  return stringify({ ...envelope, data: rows, meta: { ...meta, limit: rows.length } });
}

/** UTF-8 bytes of a UTF-16 code unit. */
const maxBytesPerUnit = 3;
/** What the envelope needs besides its rows. */
const maxFrameBytes = 1024;

/**
 * Sends an envelope, or the stream of a download. The envelope is serialized here, because for an object Koa would look up the content
 * type and set the headers twice.
 */
export function sendAnswer(ctx: Context, answer: object): void {
  if (answer instanceof Stream) {
    ctx.body = answer;
    return;
  }
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
  ctx.body = jsonOf(answer);
}
