import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../../base/errors.ts';
import { ExtractionError } from '../errors.ts';
import { extract } from '../extract.ts';
import type { Ready, Reply, Request, WorkerData } from './protocol.ts';

/** Runs in a worker thread of its own (thread.ts starts it, .build/package.ts bundles it). */
const { limits } = workerData as WorkerData;

parentPort!.on('message', (request: Request) => {
  void answerTo(request).then(tell);
});
tell('ready');

function tell(message: Reply | Ready): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a browser's window
  parentPort!.postMessage(message);
}

async function answerTo(request: Request): Promise<Reply> {
  try {
    return { extracted: await extract(request, limits) };
  } catch (error) {
    if (error instanceof ExtractionError) return { refused: error.message };
    // What a parser stumbles over is the document's fault: the same bytes make it stumble again.
    return { refused: `The document cannot be read (${messageOf(error)}). Save it again in another way, or as PDF.` };
  }
}
