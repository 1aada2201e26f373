import { Transform } from 'node:stream';
import type { Context } from 'koa';
import { afterIo } from '../../base/clock.ts';
import type { Config } from '../../base/config/schema.ts';
import { AppError, type Fault, invalid, invalidAt, messageOf } from '../../base/errors.ts';
import type { UploadSpec } from '../../kernel/route.ts';
import { hasBody, tooLarge } from './bodies.ts';
import { openSpool, type Spool } from './spool.ts';
import { textFault } from './storable-text.ts';

/** A file that has arrived, and what its sender calls it. */
export type Received = { spool: Spool; name: string | null; contentType: string | null };

/** Whoever asked for a file closes its spool. */
export type UploadReader = {
  /** A text file, alone or as the part `file` of a form. */
  text: (ctx: Context, spec: UploadSpec) => Promise<Received>;
  /** Any file, as the part `file` of a form. */
  form: (ctx: Context) => Promise<Received>;
};

export const isForm = (ctx: Context): boolean => hasBody(ctx) && Boolean(ctx.is('multipart/form-data'));

/** What a form may need beside its file: boundaries and headers of its parts. */
const framingBytes = 65_536;

/** Files that are on disk at the same time (spool.ts); a slow sender takes a place for as long as it sends. */
const uploadsAtOnce = 16;

const crowded = (): AppError =>
  new AppError('unavailable', 'Many files are arriving at the same time; send it again in some seconds.', {
    headers: { 'Retry-After': '5' },
  });

/**
 * Receives files without holding them in memory. Nothing is done with one before it is here whole: what is too large, cut short or
 * not of the kind that is taken has no effect.
 */
export function createUploadReader(config: Config): UploadReader {
  const limit = config.http.body_limits.file;
  let spools = 0;
  const receiveWith = async (
    ctx: Context,
    options: { largest: number; onlyText: boolean },
    take: (spool: Spool) => Promise<Omit<Received, 'spool'>>,
  ): Promise<Received> => {
    if (Number(ctx.get('content-length') || 0) > options.largest) throw tooLarge(limit);
    if (spools >= uploadsAtOnce) throw crowded();
    spools += 1;
    const spool = await openSpool(limit, options).catch((error: unknown) => {
      spools -= 1;
      throw error;
    });
    const close = (): Promise<void> => {
      spools -= 1;
      return spool.close();
    };
    try {
      const received = await take(spool);
      spool.finish();
      return { ...received, spool: { ...spool, close } };
    } catch (error) {
      ctx.req.resume(); // what is left of the body must not stand before the connection's next request
      await close();
      if (error instanceof AppError) throw error;
      throw invalidAt('', `The body could not be read: ${messageOf(error)}.`);
    }
  };
  const form = (ctx: Context, onlyText: boolean): Promise<Received> =>
    receiveWith(ctx, { largest: limit + framingBytes, onlyText }, (spool) => receiveForm(ctx, spool, limit));
  return {
    form: (ctx) => form(ctx, false),
    text: (ctx, { contentType }) => {
      if (isForm(ctx)) return form(ctx, true);
      if (hasBody(ctx) && !ctx.is(contentType)) {
        const message = `Send the file as ${contentType}, or as the part "file" of multipart/form-data.`;
        throw new AppError('unsupported_media_type', message);
      }
      return receiveWith(ctx, { largest: limit, onlyText: true }, async (spool) => {
        if (hasBody(ctx)) await receive(ctx, spool);
        return { name: null, contentType };
      });
    },
  };
}

async function receive(ctx: Context, spool: Spool): Promise<void> {
  // A request that is destroyed takes its connection with it, and the answer.
  for await (const bytes of ctx.req.iterator({ destroyOnReturn: false })) spool.add(bytes as Buffer);
}

/**
 * Takes the one part `file` of a form. formidable, inside koa-body, reads the form; what it would do with the parts itself is not
 * used, because it keeps a file that has no content type in memory, and counts nothing but files and fields.
 */
async function receiveForm(ctx: Context, spool: Spool, limit: number): Promise<Omit<Received, 'spool'>> {
  const bytes = counted(ctx, limit);
  const parts: string[] = [];
  const file: Omit<Received, 'spool'> = { name: null, contentType: null };
  let failure: Error | undefined;
  const attempt = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      failure = error as Error;
      bytes.destroy(failure);
    }
  };
  const { koaBody } = await import('koa-body'); // as in bodies.ts
  if (ctx.req.destroyed) throw unreadable(); // by whoever went away meanwhile: it has no more events
  const readForm = koaBody({
    json: false,
    urlencoded: false,
    text: false,
    multipart: true,
    formidable: {
      onPart(part) {
        parts.push(part.name ?? '');
        if (part.name !== 'file' || parts.length > 1) return;
        file.name = part.originalFilename;
        file.contentType = part.mimetype;
        part.on('data', (piece: Buffer) => {
          if (!failure) attempt(() => spool.add(piece));
        });
      },
    },
  });
  ctx.req.once('error', (error) => bytes.destroy(error));
  ctx.req.pipe(bytes);
  try {
    await readForm(Object.create(ctx, { req: { value: bytes } }) as Context, () => Promise.resolve());
  } catch (error) {
    failure ??= error instanceof AppError ? error : unreadable();
  }
  ctx.req.unpipe(bytes);
  // The form may have been read to its end, or found cut short, before a piece of the file was refused.
  if (failure) throw failure;
  const faults = [...partFaults(parts), ...nameFaults(file.name)];
  if (faults.length > 0) throw invalid(faults);
  return file;
}

const unreadable = (): AppError =>
  invalidAt(
    '',
    'The form could not be read: it is cut off, or not divided by the boundary that its content type names.',
  );

function nameFaults(name: string | null): Fault[] {
  const message = name === null ? undefined : textFault(name);
  return message === undefined ? [] : [{ path: 'file', message: `has a name that ${message}` }];
}

/**
 * The request's bytes, counted, with its headers, which are all else that formidable looks at. Each piece in its turn: many may have
 * arrived together, and formidable looks at every byte.
 */
function counted(ctx: Context, fileLimit: number): Transform {
  let size = 0;
  const transform = new Transform({
    transform(piece: Buffer, _encoding, done) {
      size += piece.length;
      if (size > fileLimit + framingBytes) done(tooLarge(fileLimit));
      else afterIo(() => done(null, piece));
    },
  });
  return Object.assign(transform, { headers: ctx.req.headers });
}

function partFaults(parts: readonly string[]): Fault[] {
  const strangers = new Set(parts.filter((name) => name !== 'file'));
  const faults = [...strangers]
    .slice(0, 100)
    .map((path) => ({ path, message: 'is not a known part; send "file" alone' }));
  const files = parts.length - parts.filter((name) => name !== 'file').length;
  if (files === 0) faults.push({ path: 'file', message: 'is required' });
  if (files > 1) faults.push({ path: 'file', message: 'is given more than once' });
  return faults;
}
