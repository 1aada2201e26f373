/** Runs in a reading thread (thread.ts starts it, .build/package.ts bundles it). */
import { getPriority, setPriority } from 'node:os';
import { messageOf } from '../../../base/errors.ts';
import { parentOf } from '../../../base/worker/parent.ts';
import { portionsOf } from '../../../search/index/portions.ts';
import { ExtractionError } from '../../../extraction/errors.ts';
import { extract } from '../../../extraction/extract.ts';
import type { ReadingProtocol } from './protocol.ts';

/** As `nice` sets it. */
const niceness = 10;
const lowestPriority = 19;

// Requests go before documents. Only on Linux does this set the priority of one thread; elsewhere it would be the whole process's.
if (process.platform === 'linux') setPriority(Math.min(getPriority() + niceness, lowestPriority));

// Without this class pdf.js decompresses by itself: as fast, and into few large buffers, whose memory goes back to the system. The class
// makes thousands of small ones, which the C library keeps for the next thread.
Reflect.deleteProperty(globalThis, 'DecompressionStream');

const parent = parentOf<ReadingProtocol>();

parent.serve({
  async answer(document) {
    try {
      const { chunks, ...extracted } = await extract(document, parent.data.limits);
      return { extracted: { ...extracted, portions: [...portionsOf(chunks)] } };
    } catch (error) {
      if (error instanceof ExtractionError) return { refused: error.message };
      // Any other error of a parser is the document's fault as well: the same bytes would cause it again.
      return { refused: `The document cannot be read (${messageOf(error)}). Save it again in another way, or as PDF.` };
    }
  },
  transfer: (reply) => ('extracted' in reply ? reply.extracted.portions.map(({ buffer }) => buffer) : []),
});
