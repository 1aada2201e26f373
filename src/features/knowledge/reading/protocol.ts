import type { ExtractionLimits } from '../../../extraction/limits.ts';
import type { ExtractInput } from '../../../extraction/model.ts';
import type { ReadDocument } from './extractor.ts';

/** What a worker is started with. */
export type WorkerData = { limits: ExtractionLimits };
/** To the worker: one at a time, answered by one `Reply`. */
export type Request = ExtractInput;
/** From the worker; `refused` is a sentence for whoever gave the document. */
export type Reply = { extracted: ReadDocument } | { refused: string };
/** From the worker, once, when it has loaded what it needs. */
export type Ready = 'ready';
