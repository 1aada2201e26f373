import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import type { Config } from '../base/config/schema.ts';
import { AppError, invalidAt, messageOf } from '../base/errors.ts';
import type { BodyLimit } from '../kernel/route.ts';

export type BodyReader = (ctx: Context, limit: BodyLimit) => Promise<unknown>;

/** Reads JSON bodies, one parser per size limit (contract, section 1). `undefined` when there is no body at all. */
export function createBodyReader(config: Config): BodyReader {
  const limits = config.http.body_limits;
  const parsers = Object.fromEntries(
    (['json', 'large', 'file'] as const).map((name) => [
      name,
      koaBody({ jsonLimit: limits[name], urlencoded: false, text: false, multipart: false, jsonStrict: false }),
    ]),
  ) as Record<BodyLimit, ReturnType<typeof koaBody>>;

  return async (ctx, limit) => {
    if (!hasBody(ctx)) return undefined;
    if (!ctx.is('application/json')) {
      throw new AppError('unsupported_media_type', 'Send the body as application/json.');
    }
    if (Number(ctx.get('content-length') || 0) > limits[limit]) throw tooLarge(limits[limit]);
    try {
      await parsers[limit](ctx, () => Promise.resolve());
    } catch (error) {
      throw bodyError(error, limits[limit]);
    }
    return ctx.request.body;
  };
}

const hasBody = (ctx: Context): boolean =>
  ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length') || 0) > 0;

const tooLarge = (limit: number): AppError =>
  new AppError('too_large', `The body is larger than the ${limit} bytes allowed here.`);

function bodyError(error: unknown, limit: number): AppError {
  const { status, type } = error as { status?: number; type?: string };
  if (type === 'entity.too.large' || status === 413) return tooLarge(limit);
  if (status === 415) return new AppError('unsupported_media_type', messageOf(error), { cause: error });
  return invalidAt('', `The body is not valid JSON: ${messageOf(error)}.`);
}
