import type { Fault } from '../../../base/errors.ts';
import type { WorkerProtocol } from '../../../base/worker/messages.ts';
import type { BodySpec, ValidatedBody } from '../body-validator.ts';

/** `refused`: the faults of JSON that is malformed or exceeds a limit. */
export type LargeBodyReply = { validated: ValidatedBody } | { refused: readonly Fault[] };

export type LargeBodyProtocol = WorkerProtocol & {
  data: undefined;
  request: { spec: BodySpec; bytes: Uint8Array };
  reply: LargeBodyReply;
};
