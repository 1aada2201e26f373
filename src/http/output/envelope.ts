import { Stream } from 'node:stream';
import type { Context } from 'koa';
import { stringify } from '../../base/json.ts';
import type { Page } from '../../kernel/paging.ts';
import type { Route } from '../../kernel/route.ts';

type EnvelopedReply = { data?: unknown; total?: number; message?: string };

/** The envelope of a success (contract, section 1); output/errors.ts builds that of an error. */
export const envelopeOf = (route: Route, { data, total, message }: EnvelopedReply, page: Page): object => ({
  success: true,
  message: message ?? route.message,
  ...(data === undefined ? {} : { data }),
  ...(total === undefined ? {} : { meta: { total, ...page } }),
});

/**
 * Sends an envelope, or the stream of a download. The envelope is serialized here, because for an object Koa would look up the content
 * type and set the headers twice.
 */
export function sendAnswer(ctx: Context, answer: object): void {
  if (answer instanceof Stream) {
    ctx.body = answer;
    return;
  }
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8');
  ctx.body = stringify(answer);
}
