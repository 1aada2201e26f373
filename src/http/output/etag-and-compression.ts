import { hash } from 'node:crypto';
import { Stream } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import { stringify } from '../../base/json.ts';

/** A smaller answer fits in at most three packets; compressing it would cost more time than it saves. */
const minCompressedLength = 4096;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Fast levels: Brotli's default (11) is meant for files that are compressed once and served often. */
const encoders: Readonly<Record<string, (text: string) => Promise<Buffer>>> = {
  br: (text) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text) => gzipped(text, { level: 4 }),
};

/**
 * Answers 304 if the client already has the body, and compresses large bodies if the client accepts it. The ETag is weak and covers
 * the uncompressed text, so it is the same for every encoding. By hand, because koa-compress, koa-etag and koa-conditional-get would
 * be three dependencies, and they work on streams.
 */
export function etagAndCompression(): Middleware {
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
    const sent = text.length < minCompressedLength ? text : await compressed(ctx, text);
    if (sent !== ctx.body) ctx.body = sent;
  };
}

/** The body serialized as Koa would; undefined if there is none, or if it is a stream or buffer. */
function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  if (body === null || typeof body !== 'object' || body instanceof Stream || Buffer.isBuffer(body)) return undefined;
  return stringify(body);
}

async function compressed(ctx: Context, text: string): Promise<string | Buffer> {
  ctx.vary('Accept-Encoding');
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  const encode = encoding === false ? undefined : encoders[encoding];
  if (!encode) return text;
  ctx.set('Content-Encoding', String(encoding));
  return encode(text);
}
