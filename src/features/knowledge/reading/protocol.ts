import type { WorkerProtocol } from '../../../base/worker/messages.ts';
import type { ExtractionLimits } from '../../../extraction/limits.ts';
import type { ExtractInput } from '../../../extraction/model.ts';
import type { ReadDocument } from './extractor.ts';

export type ReadingProtocol = WorkerProtocol & {
  data: { limits: ExtractionLimits };
  request: ExtractInput;
  /** `refused` tells the person who added the document why it cannot be read. */
  reply: { extracted: ReadDocument } | { refused: string };
  toThread: never;
  fromThread: never;
};
