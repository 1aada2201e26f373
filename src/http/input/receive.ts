import type { IncomingMessage } from 'node:http';
import { every } from '../../base/clock.ts';
import { AppError, invalidAt } from '../../base/errors.ts';

/** The slowest rate at which a body may arrive: `minBytes` in every `windowMs` of real time (docs/operations.md, "Limits of requests"). */
export type BodyFloor = { minBytes: number; windowMs: number };

const bodyFloor: BodyFloor = { minBytes: 81_920, windowMs: 10_000 };

const tooSlow = ({ minBytes, windowMs }: BodyFloor): AppError =>
  new AppError(
    'request_timeout',
    `The body arrived too slowly: at least ${minBytes / 1024} KiB must arrive every ${windowMs / 1000} seconds.`,
    { headers: { Connection: 'close' } },
  );

const unreadableBody = (): AppError => invalidAt('', 'The body could not be read: it ended before it was complete.');

/** Watches the rate of a body. Call `count` for every chunk, and `stop` when the body has ended. */
export function watchPace(onTooSlow: (error: AppError) => void, floor: BodyFloor = bodyFloor) {
  let arrived = 0;
  const stop = every(floor.windowMs, () => {
    if (arrived < floor.minBytes) {
      stop();
      onTooSlow(tooSlow(floor));
    }
    arrived = 0;
  });
  return { count: (bytes: number) => void (arrived += bytes), stop };
}

/**
 * Passes the chunks of a body to `take`. After an error the rest of the body is discarded, so that the answer can be sent.
 * @throws what `take` throws; request_timeout for a body that is too slow, invalid for one that is cut off
 */
export function receiveBody(req: IncomingMessage, take: (chunk: Buffer) => void, floor?: BodyFloor): Promise<void> {
  return new Promise((resolve, reject) => {
    if (req.destroyed) return reject(unreadableBody()); // no event will come
    const finish = (error?: unknown): void => {
      pace.stop();
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      if (error === undefined) return resolve();
      req.resume(); // or the connection could not serve its next request
      reject(error);
    };
    const pace = watchPace(finish, floor);
    const onEnd = (): void => finish();
    const onClose = (): void => finish(unreadableBody());
    const onData = (chunk: Buffer): void => {
      pace.count(chunk.length);
      try {
        take(chunk);
      } catch (error) {
        finish(error);
      }
    };
    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}
