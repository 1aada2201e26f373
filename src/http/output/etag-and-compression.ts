import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';
import { headersOf } from './send.ts';

/** A smaller answer fits in at most three packets; compressing it would cost more time than it saves. */
export const minCompressedLength = 4096;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Fast levels: Brotli's default (11) is meant for files that are compressed once and served often. */
const encoders: Readonly<Record<string, (text: string) => Promise<Buffer>>> = {
  br: (text) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text) => gzipped(text, { level: 4 }),
};

/** What answers need of a text, in the encodings that clients have asked for. */
type Prepared = { etag: string; encoded: Map<string, Promise<Buffer>> };

/** Of texts that stay the same while the server runs, so that each is hashed and compressed once. */
const constantTexts = new Map<string, Prepared>();

/** To be called by a handler that answers with the same large text for as long as the server runs. */
export function markConstant(ctx: Context, text: string): void {
  ctx.state['isConstant'] = true;
  if (!constantTexts.has(text)) constantTexts.set(text, { etag: etagOf(text), encoded: new Map() });
}

const preparedOf = (ctx: Context, text: string): Prepared | undefined =>
  ctx.state['isConstant'] === true ? constantTexts.get(text) : undefined;

const etagOf = (text: string): string => `W/"${hash('sha256', text, 'base64url').slice(0, 27)}"`;

/** To be called for a list: only single things have an ETag. */
export function markWithoutTag(ctx: Context): void {
  ctx.state['hasNoTag'] = true;
}

/**
 * Gives the answer to a read an ETag. If the client has this text already, makes the answer a 304 without a body, and returns true. The ETag
 * is weak and covers the uncompressed text, so it is the same for every encoding. By hand, because koa-etag and koa-conditional-get work on
 * streams.
 */
export function answerNotModified(ctx: Context, text: string): boolean {
  const { req, res } = ctx;
  if (res.hasHeader('ETag')) return false; // a version, under which counters and states still change
  if (ctx.state['hasNoTag'] === true) return false;
  if (res.statusCode !== 200 || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
  const etag = preparedOf(ctx, text)?.etag ?? etagOf(text);
  if (req.headers['if-none-match'] === undefined) {
    headersOf(ctx).push('ETag', etag);
    return false;
  }
  res.setHeader('ETag', etag); // `fresh` reads it
  if (!ctx.fresh) return false;
  ctx.status = 304;
  ctx.body = null;
  return true;
}

/** Compresses a large text if the client accepts it. By hand, because koa-compress works on streams. */
export async function compressed(ctx: Context, text: string): Promise<string | Buffer> {
  ctx.vary('Accept-Encoding');
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  const prepared = preparedOf(ctx, text);
  const encode = encoding === false ? undefined : encoders[encoding];
  if (!encode) return prepared ? encodedOnce(prepared, 'identity', () => Promise.resolve(Buffer.from(text))) : text;
  const bytes = await (prepared ? encodedOnce(prepared, String(encoding), () => encode(text)) : encode(text));
  ctx.set('Content-Encoding', String(encoding));
  return bytes;
}

function encodedOnce({ encoded }: Prepared, encoding: string, encode: () => Promise<Buffer>): Promise<Buffer> {
  const bytes = encoded.get(encoding) ?? encode();
  encoded.set(encoding, bytes);
  return bytes;
}
