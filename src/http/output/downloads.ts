import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { App } from '../../kernel/app.ts';
import type { Download, DownloadSpec, RangedDownload } from '../../kernel/route.ts';
import { rangeIn } from './ranges.ts';

/**
 * Sets the headers of a download and returns the stream that Koa sends as its body. If generating the content fails midway, the
 * connection is cut, so that the client does not mistake a part for the whole file.
 */
export function downloadAnswer(
  app: App,
  ctx: Context,
  spec: DownloadSpec,
  download: Download | RangedDownload,
): Readable {
  if ('read' in download) return rangedAnswer(app, ctx, spec, download);
  const { fileName, contentType = spec.contentType, content } = download;
  ctx.set('Content-Type', isText(contentType) ? `${contentType}; charset=utf-8` : contentType);
  ctx.set('Content-Disposition', `attachment; filename="${fileName}"`);
  return streamed(app, ctx, content);
}

/** Returns in which way data differs from its schema; undefined in production. */
export type CheckAnswer = ((data: unknown) => string | undefined) | undefined;

type DataJson = { dataJson: AsyncIterable<string>; message: string; checkAnswer: CheckAnswer };

/** The envelope of a success whose `data` is generated as the client reads it. */
export function jsonAnswer(app: App, ctx: Context, { dataJson, message, checkAnswer }: DataJson): Readable {
  ctx.set('Content-Type', 'application/json; charset=utf-8');
  async function* content(): AsyncGenerator<string> {
    const written: string[] = [];
    yield `{"success":true,"message":${JSON.stringify(message)},"data":`;
    for await (const part of dataJson) {
      if (checkAnswer) written.push(part);
      yield part;
    }
    const mismatch = checkAnswer?.(JSON.parse(written.join('')));
    if (mismatch !== undefined) throw new Error(`answered against its schema: ${mismatch}`);
    yield '}';
  }
  return streamed(app, ctx, content());
}

function streamed(app: App, ctx: Context, content: AsyncIterable<string | Buffer>): Readable {
  const requestId = String(ctx.state['requestId']);
  async function* logged(): AsyncGenerator<string | Buffer> {
    try {
      yield* content;
    } catch (error) {
      // A client that disconnects also ends the stream with an error; that is not worth logging.
      if (!ctx.res.destroyed) app.log.error({ err: error, requestId }, 'download failed midway');
      throw error;
    }
  }
  return Readable.from(logged(), { objectMode: false });
}

const isText = (contentType: string): boolean => !/^(?:application\/vnd\.|audio\/)/.test(contentType);

/** 200 with the whole file, 206 with a part, or 416. */
function rangedAnswer(app: App, ctx: Context, { contentType }: DownloadSpec, download: RangedDownload): Readable {
  const { fileName, size, read, close } = download;
  const range = rangeIn(ctx.get('Range'), size);
  ctx.set('Accept-Ranges', 'bytes');
  ctx.set('Content-Type', contentType);
  ctx.set('Content-Disposition', `inline; filename="${fileName}"`);
  const { from, to } = range ?? { from: 0, to: range === null ? 0 : size };
  ctx.set('Content-Length', String(to - from));
  if (range !== undefined) {
    ctx.status = range === null ? 416 : 206;
    ctx.set('Content-Range', range === null ? `bytes */${size}` : `bytes ${from}-${to - 1}/${size}`);
  }
  async function* content(): AsyncGenerator<Buffer> {
    try {
      if (to > from) yield* read(from, to);
    } finally {
      await close();
    }
  }
  return streamed(app, ctx, content());
}
