import type { Fault } from '../../../base/errors.ts';
import type { WorkerProtocol } from '../../../base/worker/messages.ts';
import type { BodySpec, ValidatedBody } from '../body-validator.ts';

/** The most entries of a list that one message carries. Receiving them takes the main thread 1 to 2 ms. */
export const sliceEntries = 500;

/**
 * `refused`: the faults of JSON that is malformed or exceeds a limit. `lists`: how many entries each long list of a valid body has; it comes
 * empty, and its entries are asked for one slice after the other, because receiving all at once takes the main thread tens of milliseconds.
 */
export type LargeBodyReply =
  | { validated: ValidatedBody; lists: ReadonlyMap<string, number> }
  | { refused: readonly Fault[] };

/** A slice of a list of the body that was validated last. */
export type SliceRequest = { list: string; from: number; to: number };

export type LargeBodyProtocol = WorkerProtocol & {
  data: undefined;
  request: { spec: BodySpec; bytes: Uint8Array } | SliceRequest;
  reply: LargeBodyReply | { entries: unknown[] };
};
