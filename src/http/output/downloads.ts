import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { App } from '../../kernel/app.ts';
import type { Download, DownloadSpec } from '../../kernel/route.ts';

/**
 * Answers with a file that is written as it is made; returns what to give Koa as body. Should its making fail midway, the
 * connection is cut, so that nobody takes a part for the whole.
 */
export function downloadAnswer(app: App, ctx: Context, spec: DownloadSpec, { fileName, content }: Download): Readable {
  ctx.set('Content-Type', `${spec.contentType}; charset=utf-8`);
  ctx.set('Content-Disposition', `attachment; filename="${fileName}"`);
  const requestId = String(ctx.state['requestId']);
  async function* logged(): AsyncGenerator<string> {
    try {
      yield* content;
    } catch (error) {
      // A caller who went away ends it with an error, too.
      if (!ctx.res.destroyed) app.log.error({ err: error, requestId }, 'a download failed midway');
      throw error;
    }
  }
  return Readable.from(logged(), { objectMode: false });
}
