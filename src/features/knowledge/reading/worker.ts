/** Runs in a reading thread (thread.ts starts it, .build/package.ts bundles it). */
import { messageOf } from '../../../base/errors.ts';
import { parentOf } from '../../../base/worker/parent.ts';
import { lowerPriority } from '../../../base/worker/priority.ts';
import { portionsOf } from '../../../search/index/portions.ts';
import { ExtractionError } from '../../../extraction/errors.ts';
import { extract } from '../../../extraction/extract.ts';
import type { ReadingProtocol } from './protocol.ts';

lowerPriority(10);

// Without this class pdf.js decompresses by itself, as fast, into few large buffers that are returned to the system.
// The class would produce thousands of small ones, which the C library keeps after the thread has ended.
Reflect.deleteProperty(globalThis, 'DecompressionStream');

const parent = parentOf<ReadingProtocol>();

parent.serve({
  async answer(document) {
    try {
      const { chunks, ...extracted } = await extract(document, parent.data.limits);
      return { extracted: { ...extracted, portions: [...portionsOf(chunks)] } };
    } catch (error) {
      if (error instanceof ExtractionError) return { refused: error.message };
      // A parser error is caused by the document: the same bytes fail again, so it is refused rather than retried.
      return { refused: `The document cannot be read (${messageOf(error)}). Save it in another format, such as PDF.` };
    }
  },
  transfer: (reply) => ('extracted' in reply ? reply.extracted.portions.map(({ buffer }) => buffer) : []),
});
