import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { EventStream } from '../../kernel/route.ts';

/** How much of a stream waits in memory for a slow reader, in addition to the buffer of its connection. */
const highWaterMark = 16_384;

/** Sets the headers of an event stream and returns the stream that Koa sends as its body. */
export function eventStreamAnswer(ctx: Context, stream: EventStream): Readable {
  ctx.set('Content-Type', 'text/event-stream; charset=utf-8');
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Accel-Buffering', 'no'); // nginx would keep small events back
  const body: Readable = new Readable({
    highWaterMark,
    read: () => following?.drained(),
    destroy(error, done) {
      following.leave();
      done(error);
    },
  });
  const following = stream.follow({
    write: (chunk) => !body.destroyed && body.push(chunk),
    end: () => void body.push(null),
    destroy: () => void (ctx.res.writableFinished || ctx.res.destroy()),
  });
  return body;
}
