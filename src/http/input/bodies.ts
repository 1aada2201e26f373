import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Context } from 'koa';
import type { Config } from '../../base/config/schema.ts';
import { AppError, invalidAt, messageOf } from '../../base/errors.ts';
import { createBudget, type Budget } from '../../base/fair/budget.ts';
import type { BodyLimit } from '../../kernel/route.ts';
import { type BodyFloor, receiveBody } from './receive.ts';

/** A body in memory. Call `release` when the request has been answered. */
export type ReceivedBody = { bytes: Buffer; release(): void };

export type BodyOptions = {
  limit: BodyLimit;
  /** The operation accepts a form, too (see `acceptedBodyTypes`). */
  orForm: boolean;
  /** The organization; senders without credentials share one owner. */
  owner: string;
};

/** Reads the raw body; undefined if the request has none. */
export type BodyReader = (ctx: Context, options: BodyOptions) => Promise<ReceivedBody | undefined>;

/** The content types an operation accepts, for error messages. */
export const acceptedBodyTypes = (orForm: boolean): string =>
  orForm ? 'application/json, or a file as the part "file" of multipart/form-data' : 'application/json';

/** The largest body of an operation that needs no key, token or signature, in bytes (docs/operations.md, "Limits of requests"). */
const maxPublicBytes = 4096;

/**
 * Reads bodies into memory. All bodies that are held share `http.body_limits.in_memory` fairly between organizations. By hand, because
 * the libraries for this read into strings, and can neither share memory nor give up a slow body.
 */
export function createBodyReader(config: Config, floor?: BodyFloor): BodyReader {
  const { json, large, file, in_memory: inMemory } = config.http.body_limits;
  const limits: Record<BodyLimit, number> = { public: Math.min(json, maxPublicBytes), json, large, file };
  const memory = createBudget(inMemory);
  return async (ctx, { limit, orForm, owner }) => {
    if (!hasBody(ctx)) return undefined;
    if (!ctx.is('application/json')) {
      throw new AppError('unsupported_media_type', `Send the body as ${acceptedBodyTypes(orForm)}.`);
    }
    const maxBytes = limits[limit];
    if (Number(ctx.get('content-length') || 0) > maxBytes) throw tooLarge(maxBytes);
    const decompress = decompressorOf(ctx);
    const body = createBody(memory, owner, maxBytes);
    try {
      await receiveBody(ctx.req, body.add, floor);
      if (decompress) body.replace(await decompress(body.takeBytes(), maxBytes));
    } catch (error) {
      body.release();
      throw error;
    }
    return { bytes: body.takeBytes(), release: body.release };
  };
}

/** Collects a body, and takes the memory for it as it arrives: an announced length proves nothing. */
function createBody(memory: Budget, owner: string, maxBytes: number) {
  let chunks: Buffer[] = [];
  let size = 0;
  function add(chunk: Buffer): void {
    if (size + chunk.length > maxBytes) throw tooLarge(maxBytes);
    if (!memory.tryTake(owner, chunk.length)) throw noMemory();
    size += chunk.length;
    chunks.push(chunk);
  }
  function release(): void {
    if (size > 0) memory.release(owner, size);
    size = 0;
    chunks = [];
  }
  return {
    add,
    release,
    replace(bytes: Buffer): void {
      release();
      add(bytes);
    },
    /** Takes the bytes out; their memory stays taken until `release`. */
    takeBytes(): Buffer {
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      chunks = [];
      return bytes;
    },
  };
}

type Decompress = (bytes: Buffer, maxBytes: number) => Promise<Buffer>;

const decompressors: ReadonlyMap<string, Decompress> = new Map(
  Object.entries({ gzip: gunzip, deflate: inflate, br: brotliDecompress }).map(([encoding, run]) => [
    encoding,
    limited(promisify(run)),
  ]),
);

/** @throws unsupported_media_type for a content encoding that is not supported */
function decompressorOf(ctx: Context): Decompress | undefined {
  const encoding = ctx.get('content-encoding').toLowerCase() || 'identity';
  const decompress = decompressors.get(encoding);
  if (decompress || encoding === 'identity') return decompress;
  throw new AppError(
    'unsupported_media_type',
    `Send the body without Content-Encoding, or as one of ${[...decompressors.keys()].join(', ')}.`,
  );
}

/** Runs in Node's thread pool, and stops at the limit. */
function limited(decompress: (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>): Decompress {
  return async (bytes, maxBytes) => {
    try {
      return await decompress(bytes, { maxOutputLength: maxBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
      throw invalidAt('', `The body could not be decompressed: ${messageOf(error)}.`);
    }
  };
}

/** Whether the request's headers announce a body. */
export const hasBody = (ctx: Context): boolean =>
  ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length') || 0) > 0;

export const tooLarge = (limit: number): AppError =>
  new AppError('too_large', `The body is larger than the ${limit} bytes allowed here.`);

const noMemory = (): AppError =>
  new AppError('unavailable', 'The server is handling too many large requests at the moment. Try again in a second.', {
    headers: { 'Retry-After': '1' },
  });
