import type { Context, Middleware } from 'koa';
import type { Config } from '../../base/config/schema.ts';
import { AppError, invalidAt, messageOf } from '../../base/errors.ts';
import { isDeeper, parseWithExactMetadata } from '../../base/json.ts';
import type { BodyLimit } from '../../kernel/route.ts';

/** Reads the raw body; undefined if the request has none. `orForm`: the operation accepts a form, too (see `acceptedBodyTypes`). */
export type BodyReader = (ctx: Context, limit: BodyLimit, orForm: boolean) => Promise<Buffer | undefined>;

/** The content types an operation accepts, for error messages. */
export const acceptedBodyTypes = (orForm: boolean): string =>
  orForm ? 'application/json, or a file as the part "file" of multipart/form-data' : 'application/json';

/** Deeper JSON would overflow the stack of the recursive functions that walk it. */
const maxDepth = 100;

/**
 * Reads JSON bodies with one koa-body reader per size limit (contract, section 1). koa-body returns the bytes as latin1, one character
 * per byte; its JSON parser is off because it rejects the key `__proto__` and rounds large numbers, and `metadata` must come back
 * unchanged.
 */
export function createBodyReader(config: Config): BodyReader {
  const limits = config.http.body_limits;
  const readers: Partial<Record<BodyLimit, Middleware>> = {};

  const readerOf = async (limit: BodyLimit): Promise<Middleware> => {
    const { koaBody } = await import('koa-body'); // loaded with the first body, because it would slow down every start
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
      throw new AppError('unsupported_media_type', `Send the body as ${acceptedBodyTypes(orForm)}.`);
    }
    if (Number(ctx.get('content-length') || 0) > limits[limit]) throw tooLarge(limits[limit]);
    try {
      readers[limit] ??= await readerOf(limit);
      await readers[limit](ctx, () => Promise.resolve());
    } catch (error) {
      ctx.req.resume(); // drain the rest of the body, or the connection could not serve its next request
      throw readingError(error, limits[limit]);
    }
    return Buffer.from(ctx.request.body as string, 'latin1');
  };
}

/** Whether the request's headers announce a body. */
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
 * Parses a JSON body; undefined for an empty one.
 * @throws invalid if it is not JSON, not UTF-8, or nested too deeply
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

/** Rejects invalid UTF-8; a lenient decoder would silently replace the bytes with other text. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidAt('', 'The body is not valid JSON: it is not UTF-8.');
  }
}
