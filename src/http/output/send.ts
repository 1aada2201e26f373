import { type Readable, pipeline, Stream } from 'node:stream';
import type { Context } from 'koa';

/**
 * Headers of an answer that nothing reads or changes before it is sent: names and values in turn. Node writes such a list in a third of the
 * time, because it does not store each header. These headers replace those of the same name that were set on the response.
 */
export const headersOf = (ctx: Context): string[] => (ctx.state['headers'] ??= []) as string[];

/** Headers of every answer that does not set them itself, as names and values in turn. */
type DefaultHeaders = readonly string[];

/** Sends an answer whose status is set: `body` or, without one, `ctx.body`. */
export type Send = (ctx: Context, body?: string | Buffer) => void;

/** Creates the last step of a request. By hand, because Koa does not send headers as a list (see `headersOf`). */
export function createSend(defaults: DefaultHeaders): Send {
  return (ctx, body) => {
    const { res } = ctx;
    if (body === undefined) return sendBodyOf(ctx, defaults);
    const headers = headersOf(ctx);
    headers.push('Content-Length', String(Buffer.byteLength(body)));
    if (res.getHeaderNames().length === 0) res.writeHead(res.statusCode, [...defaults, ...headers]);
    else setHeaders(ctx, defaults);
    if (ctx.req.method === 'HEAD') res.end();
    else res.end(body);
  };
}

function setHeaders(ctx: Context, defaults: DefaultHeaders): void {
  const { res } = ctx;
  for (let at = 0; at < defaults.length; at += 2)
    if (!res.hasHeader(defaults[at]!)) res.setHeader(defaults[at]!, defaults[at + 1]!);
  const headers = headersOf(ctx);
  for (let at = 0; at < headers.length; at += 2) res.setHeader(headers[at]!, headers[at + 1]!);
}

/** Sends a buffer, a stream, or nothing. */
function sendBodyOf(ctx: Context, defaults: DefaultHeaders): void {
  const { res } = ctx;
  setHeaders(ctx, defaults);
  const body = ctx.body as Readable | Buffer | null | undefined;
  const isUnread = ctx.method === 'HEAD' || !ctx.writable;
  if (isUnread || body === null || body === undefined) res.end();
  else if (body instanceof Stream) pipeline(body, res, (error) => error && ctx.onerror(error));
  else res.end(body);
}
