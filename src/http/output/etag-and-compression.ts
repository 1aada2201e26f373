import { hash } from 'node:crypto';
import { Stream } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';

/** Smaller answers go in a packet or three as they are: compressing them would cost more than it saves. */
const compressedFrom = 4096;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Qualities that take about as long as sending would: Brotli's default (11) is for files that are compressed once. */
const encoders: Readonly<Record<string, (text: string) => Promise<Buffer>>> = {
  br: (text) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text) => gzipped(text, { level: 4 }),
};

/**
 * Sends an answer no larger than it must be: not at all when the caller has it already (a weak ETag over its text, so that it
 * holds for any encoding), compressed when it is large and the caller takes that. By hand: koa-compress and koa-conditional-get work
 * on streams and would be three dependencies for this.
 */
export function transfer(): Middleware {
  return async (ctx, next) => {
    await next();
    const text = textOf(ctx.body);
    if (text === undefined) return;
    if (ctx.status === 200 && (ctx.method === 'GET' || ctx.method === 'HEAD')) {
      ctx.res.setHeader('ETag', `W/"${hash('sha256', text, 'base64url').slice(0, 27)}"`);
      if (ctx.req.headers['if-none-match'] && ctx.fresh) {
        ctx.status = 304;
        ctx.body = null;
        return;
      }
    }
    const sent = text.length < compressedFrom ? text : await compressed(ctx, text);
    if (sent !== ctx.body) ctx.body = sent;
  };
}

/** The text that a body is sent as; undefined for none, and for streams. */
function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  if (body === null || typeof body !== 'object' || body instanceof Stream || Buffer.isBuffer(body)) return undefined;
  return JSON.stringify(body);
}

async function compressed(ctx: Context, text: string): Promise<string | Buffer> {
  ctx.vary('Accept-Encoding');
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  const encode = encoding === false ? undefined : encoders[encoding];
  if (!encode) return text;
  ctx.set('Content-Encoding', String(encoding));
  return encode(text);
}
