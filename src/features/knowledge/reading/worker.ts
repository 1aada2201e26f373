import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../base/errors.ts';
import { portionsOf } from '../../../search/index/portions.ts';
import { ExtractionError } from '../../../extraction/errors.ts';
import { extract } from '../../../extraction/extract.ts';
import type { Ready, Reply, Request, WorkerData } from './protocol.ts';

/** Runs in a worker thread of its own (thread.ts starts it, .build/package.ts bundles it). */
const { limits } = workerData as WorkerData;

/** As much as a program's that is started by `nice`. */
const fewerTurns = 10;
const leastPriority = 19;

// Whoever waits for an answer goes before a document. Only Linux has priorities of threads: elsewhere it would be the process's.
if (process.platform === 'linux') setPriority(Math.min(getPriority() + fewerTurns, leastPriority));

// pdf.js then unpacks by itself, as fast, into few large buffers, which go back to the system. What comes of this class is thousands of
// small ones, which the C library keeps for the next thread.
Reflect.deleteProperty(globalThis, 'DecompressionStream');

parentPort!.on('message', (request: Request) => {
  void answerTo(request).then(tell);
});
tell('ready');

function tell(message: Reply | Ready): void {
  const portions = typeof message === 'object' && 'extracted' in message ? message.extracted.portions : [];
  parentPort!.postMessage(
    message,
    portions.map(({ buffer }) => buffer),
  );
}

async function answerTo(request: Request): Promise<Reply> {
  try {
    const { chunks, ...extracted } = await extract(request, limits);
    return { extracted: { ...extracted, portions: [...portionsOf(chunks)] } };
  } catch (error) {
    if (error instanceof ExtractionError) return { refused: error.message };
    // What a parser stumbles over is the document's fault: the same bytes make it stumble again.
    return { refused: `The document cannot be read (${messageOf(error)}). Save it again in another way, or as PDF.` };
  }
}
