import { Transform } from 'node:stream';
import type { Context } from 'koa';
import { afterIo } from '../../base/clock.ts';
import type { Config } from '../../base/config/schema.ts';
import { AppError, type Fault, invalid, invalidAt, messageOf } from '../../base/errors.ts';
import type { UploadSpec } from '../../kernel/route.ts';
import { createBudget } from '../../base/fair/budget.ts';
import { hasBody, tooLarge } from './bodies.ts';
import { type BodyFloor, receiveBody, watchPace } from './receive.ts';
import { openSpool, type Spool } from './spool.ts';
import { textFault } from './storable-text.ts';

/** A complete file, with the name and content type its sender gave it. */
export type ReceivedFile = { spool: Spool; name: string | null; contentType: string | null };

/** The caller must close the spool of the file it receives. */
export type UploadReader = {
  /** Receives a file, sent directly or as the part `file` of a form. */
  direct: (ctx: Context, spec: UploadSpec, owner: string) => Promise<ReceivedFile>;
  /** Receives any file, as the part `file` of a form. */
  form: (ctx: Context, owner: string) => Promise<ReceivedFile>;
};

export const isForm = (ctx: Context): boolean => hasBody(ctx) && Boolean(ctx.is('multipart/form-data'));

type FormLimits = { maxFileBytes: number; maxLineBreaks: number };

/** The largest part of a form that is not the file: boundaries and part headers. */
const maxFramingBytes = 65_536;

/**
 * formidable takes 1.4 us for each line break, since a boundary may follow, and 14 s for a file of nothing else. A file that people make has
 * a line break for 50 bytes or more.
 */
const maxLineBreaksOfFile = 500_000;
/** Two for each row that an import reads. */
const maxLineBreaksOfImport = 2_097_152;
const carriageReturn = 13;
/** Some 10 ms of line breaks. */
const sliceBytes = 16_384;

const tooManyLineBreaks = (maxLineBreaks: number): AppError =>
  new AppError(
    'too_large',
    `The form has more than ${maxLineBreaks} line breaks (CR LF); send the file as the body of the request, or with LF alone.`,
  );

/** Bounds the disk space that uploads take (see spool.ts). Organizations share them fairly: one alone gets half of them. */
const maxConcurrentUploads = 32;
/** Uploads larger than `http.body_limits.file`. */
const maxLargeUploads = 4;

const tooManyUploads = (): AppError =>
  new AppError('unavailable', 'The server is receiving too many files at the moment. Try again in a few seconds.', {
    headers: { 'Retry-After': '5' },
  });

type UploadSlot = {
  /** @throws unavailable when the file is large, and no more large ones can be received */
  allow(bytes: number): void;
  release(): void;
};

/** Returns a function that takes a slot for an upload. It throws unavailable when there is none. */
function createUploadSlots(maxSmallBytes: number): (owner: string) => UploadSlot {
  const [all, large] = [createBudget(maxConcurrentUploads), createBudget(maxLargeUploads)];
  return (owner) => {
    if (!all.tryTake(owner, 1)) throw tooManyUploads();
    const taken = [all];
    return {
      allow(bytes) {
        if (bytes <= maxSmallBytes || taken.includes(large)) return;
        if (!large.tryTake(owner, 1)) throw tooManyUploads();
        taken.push(large);
      },
      release() {
        for (const budget of taken) budget.release(owner, 1);
      },
    };
  };
}

/**
 * Receives files on disk instead of in memory. A file is handed over only when it is complete, so one that is too large, cut off or
 * of the wrong kind has no effect.
 */
export function createUploadReader(config: Config, floor?: BodyFloor): UploadReader {
  const { file, import: maxImportBytes } = config.http.body_limits;
  const take = createUploadSlots(file);
  const receiveFile = async (
    ctx: Context,
    { owner, maxFileBytes, framingBytes }: { owner: string; maxFileBytes: number; framingBytes: number },
    fill: (spool: Spool) => Promise<Omit<ReceivedFile, 'spool'>>,
  ): Promise<ReceivedFile> => {
    const announcedBytes = Number(ctx.get('content-length') || 0);
    if (announcedBytes > maxFileBytes + framingBytes) throw tooLarge(maxFileBytes);
    const slot = take(owner);
    const opened = await openSpool(maxFileBytes).catch((error: unknown) => {
      slot.release();
      throw error;
    });
    const spool: Spool = {
      ...opened,
      add(bytes) {
        slot.allow(Math.min(opened.size() + bytes.length, maxFileBytes));
        opened.add(bytes);
      },
      close() {
        slot.release();
        return opened.close();
      },
    };
    try {
      slot.allow(Math.min(announcedBytes, maxFileBytes));
      return { ...(await fill(spool)), spool };
    } catch (error) {
      ctx.req.resume(); // drain the rest of the body, or the connection could not serve its next request
      await spool.close();
      if (error instanceof AppError) throw error;
      throw invalidAt('', `The body could not be read: ${messageOf(error)}.`);
    }
  };
  const receiveForm = (ctx: Context, owner: string, limits: FormLimits): Promise<ReceivedFile> =>
    receiveFile(ctx, { owner, maxFileBytes: limits.maxFileBytes, framingBytes: maxFramingBytes }, (spool) =>
      readForm(ctx, spool, limits, floor),
    );
  return {
    form: (ctx, owner) => receiveForm(ctx, owner, { maxFileBytes: file, maxLineBreaks: maxLineBreaksOfFile }),
    direct: (ctx, { contentTypes }, owner) => {
      const limits = { maxFileBytes: maxImportBytes, maxLineBreaks: maxLineBreaksOfImport };
      if (isForm(ctx)) return receiveForm(ctx, owner, limits);
      if (hasBody(ctx) && !ctx.is([...contentTypes])) {
        const message = `Send the file as ${contentTypes.join(' or ')}, or as the part "file" of multipart/form-data.`;
        throw new AppError('unsupported_media_type', message);
      }
      return receiveFile(ctx, { owner, maxFileBytes: maxImportBytes, framingBytes: 0 }, async (spool) => {
        if (hasBody(ctx)) await receiveBody(ctx.req, (chunk) => spool.add(chunk), floor);
        return { name: null, contentType: ctx.get('content-type') };
      });
    },
  };
}

/**
 * Reads a form with exactly one part, `file`. formidable (inside koa-body) parses the form, but its own handling of parts is not used:
 * it keeps a file without a content type in memory, and limits only the number of files and fields.
 */
async function readForm(
  ctx: Context,
  spool: Spool,
  limits: FormLimits,
  floor: BodyFloor | undefined,
): Promise<Omit<ReceivedFile, 'spool'>> {
  const { koaBody } = await import('koa-body'); // loaded late, as in bodies.ts
  if (ctx.req.destroyed) throw unreadableForm(); // the sender disconnected during the import, so no event will come
  const body = limitedBody(ctx, limits, floor);
  const partNames: string[] = [];
  const file: Omit<ReceivedFile, 'spool'> = { name: null, contentType: null };
  let failure: Error | undefined;
  const addToSpool = (chunk: Buffer): void => {
    if (failure) return;
    try {
      spool.add(chunk);
    } catch (error) {
      failure = error as Error;
      body.destroy(failure);
    }
  };
  const parseForm = koaBody({
    json: false,
    urlencoded: false,
    text: false,
    multipart: true,
    formidable: {
      onPart(part) {
        partNames.push(part.name ?? '');
        if (part.name !== 'file' || partNames.length > 1) return;
        file.name = part.originalFilename;
        file.contentType = part.mimetype;
        part.on('data', addToSpool);
      },
    },
  });
  ctx.req.once('error', (error) => body.destroy(error));
  ctx.req.pipe(body);
  try {
    await parseForm(Object.create(ctx, { req: { value: body } }) as Context, () => Promise.resolve());
  } catch (error) {
    failure ??= error instanceof AppError ? error : unreadableForm();
  }
  ctx.req.unpipe(body);
  body.destroy();
  // `addToSpool` may have failed although formidable read the form to its end.
  if (failure) throw failure;
  const faults = [...partFaults(partNames), ...nameFaults(file.name)];
  if (faults.length > 0) throw invalid(faults);
  return file;
}

const unreadableForm = (): AppError =>
  invalidAt(
    '',
    'The form could not be read: it is cut off, or not divided by the boundary that its content type names.',
  );

function nameFaults(name: string | null): Fault[] {
  const message = name === null ? undefined : textFault(name);
  return message === undefined ? [] : [{ path: 'file', message: `has a name that ${message}` }];
}

/**
 * The request's bytes as a stream that fails once they exceed the size limit or arrive too slowly. It also has the request's headers,
 * because formidable reads them. They are passed on in slices, one per tick of the event loop, because many may arrive together and
 * formidable looks at every byte.
 */
function limitedBody(
  ctx: Context,
  { maxFileBytes, maxLineBreaks }: FormLimits,
  floor: BodyFloor | undefined,
): Transform {
  let size = 0;
  let lineBreaks = 0;
  const pace = watchPace((error) => transform.destroy(error), floor);
  const transform = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      pace.count(chunk.length);
      if (size > maxFileBytes + maxFramingBytes) return done(tooLarge(maxFileBytes));
      lineBreaks += countOf(chunk, carriageReturn);
      if (lineBreaks > maxLineBreaks) return done(tooManyLineBreaks(maxLineBreaks));
      passOn(chunk, 0, done);
    },
  });
  function passOn(chunk: Buffer, start: number, done: () => void): void {
    if (start >= chunk.length) return done();
    transform.push(chunk.subarray(start, start + sliceBytes));
    afterIo(() => passOn(chunk, start + sliceBytes, done));
  }
  transform.once('close', pace.stop);
  return Object.assign(transform, { headers: ctx.req.headers });
}

function countOf(chunk: Buffer, byte: number): number {
  let count = 0;
  for (let at = chunk.indexOf(byte); at >= 0; at = chunk.indexOf(byte, at + 1)) count += 1;
  return count;
}

function partFaults(partNames: readonly string[]): Fault[] {
  const unknown = new Set(partNames.filter((name) => name !== 'file'));
  const faults = [...unknown]
    .slice(0, 100)
    .map((path) => ({ path, message: 'is not a known part; send "file" alone' }));
  const files = partNames.filter((name) => name === 'file').length;
  if (files === 0) faults.push({ path: 'file', message: 'is required' });
  if (files > 1) faults.push({ path: 'file', message: 'appears more than once' });
  return faults;
}
