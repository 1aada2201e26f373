import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { App } from '../../kernel/app.ts';
import type { Download, DownloadSpec } from '../../kernel/route.ts';

/**
 * Sets the headers of a download and returns the stream that Koa sends as its body. If generating the content fails midway, the
 * connection is cut, so that the client does not mistake a part for the whole file.
 */
export function downloadAnswer(app: App, ctx: Context, spec: DownloadSpec, download: Download): Readable {
  const { fileName, contentType = spec.contentType, content } = download;
  ctx.set('Content-Type', isText(contentType) ? `${contentType}; charset=utf-8` : contentType);
  ctx.set('Content-Disposition', `attachment; filename="${fileName}"`);
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

const isText = (contentType: string): boolean => !contentType.startsWith('application/vnd.');
