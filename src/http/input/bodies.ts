import type { Context, Middleware } from 'koa';
import type { Config } from '../../base/config/schema.ts';
import { AppError, invalidAt, messageOf } from '../../base/errors.ts';
import { isDeeper, parseWithExactMetadata } from '../../base/json.ts';
import type { BodyLimit } from '../../kernel/route.ts';

/** The bytes of a body as they came; undefined when there is no body at all. */
export type BodyReader = (ctx: Context, limit: BodyLimit, orForm: boolean) => Promise<Buffer | undefined>;

/** What a body may be, for those who sent another. */
export const bodyKinds = (orForm: boolean): string =>
  orForm ? 'application/json, or a file as the part "file" of multipart/form-data' : 'application/json';

/** Deeper JSON is nobody's data, and would overflow the stack of what walks it. */
const maxDepth = 100;

/**
 * Reads JSON bodies, one reader per size limit (contract, section 1). koa-body reads the bytes (as latin1, one character each);
 * its JSON is not used, because it refuses `__proto__` as a key and loses digits, and a caller's `metadata` comes back as it was.
 */
export function createBodyReader(config: Config): BodyReader {
  const limits = config.http.body_limits;
  const readers: Partial<Record<BodyLimit, Middleware>> = {};

  const readerOf = async (limit: BodyLimit): Promise<Middleware> => {
    const { koaBody } = await import('koa-body'); // with the first body: it is a large part of what starting would load
    return koaBody({
      json: false,
      urlencoded: false,
      textTypes: ['application/json'],
      textLimit: limits[limit],
      encoding: 'binary',
    });
  };

  return async (ctx, limit, orForm) => {
    if (!hasBody(ctx)) return undefined;
    if (!ctx.is('application/json')) {
      throw new AppError('unsupported_media_type', `Send the body as ${bodyKinds(orForm)}.`);
    }
    if (Number(ctx.get('content-length') || 0) > limits[limit]) throw tooLarge(limits[limit]);
    try {
      readers[limit] ??= await readerOf(limit);
      await readers[limit](ctx, () => Promise.resolve());
    } catch (error) {
      ctx.req.resume(); // what is left of the body must not stand before the connection's next request
      throw readingError(error, limits[limit]);
    }
    return Buffer.from(ctx.request.body as string, 'latin1');
  };
}

/** Whether the request announces a body at all. */
export const hasBody = (ctx: Context): boolean =>
  ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length') || 0) > 0;

export const tooLarge = (limit: number): AppError =>
  new AppError('too_large', `The body is larger than the ${limit} bytes allowed here.`);

function readingError(error: unknown, limit: number): AppError {
  const { status, type } = error as { status?: number; type?: string };
  if (type === 'entity.too.large' || status === 413) return tooLarge(limit);
  if (status === 415) return new AppError('unsupported_media_type', messageOf(error), { cause: error });
  return invalidAt('', `The body could not be read: ${messageOf(error)}.`);
}

/**
 * What the bytes of a JSON body say; undefined for none.
 * @throws invalid when they are no JSON, no UTF-8, or nested too deeply
 */
export function parseBody(bytes: Buffer | undefined): unknown {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidAt('', `The body is not valid JSON: ${messageOf(error)}.`);
  }
  if (isDeeper(value, maxDepth)) throw invalidAt('', `The body is nested more than ${maxDepth} levels deep.`);
  return parseWithExactMetadata(text, value);
}

/** Bytes that are no UTF-8 are a fault: read leniently they would turn into other text. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidAt('', 'The body is not valid JSON: it is not UTF-8.');
  }
}
