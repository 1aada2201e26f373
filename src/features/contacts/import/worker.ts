/** Runs in the thread that reads imports (thread.ts starts it, .build/package.ts bundles it). */
import { AppError } from '../../../base/errors.ts';
import { parentOf } from '../../../base/worker/parent.ts';
import type { ImportProtocol } from './protocol.ts';
import { openReader, type ReadingOptions, type TableReader } from './reader.ts';

const readers = new Map<number, TableReader>();
const parent = parentOf<ImportProtocol>();

async function open(id: number, options: ReadingOptions): Promise<ImportProtocol['reply']> {
  try {
    const reader = await openReader(options);
    readers.set(id, reader);
    return { columns: reader.columns };
  } catch (error) {
    if (error instanceof AppError && error.kind === 'invalid' && error.details) return { refused: error.details };
    return tooLargeOr(error);
  }
}

async function next(id: number): Promise<ImportProtocol['reply']> {
  const reader = readers.get(id)!;
  try {
    return { batch: await reader.next(), sample: reader.sample };
  } catch (error) {
    return tooLargeOr(error);
  }
}

function tooLargeOr(error: unknown): ImportProtocol['reply'] {
  if (error instanceof AppError && error.kind === 'too_large') return { tooLarge: error.message };
  throw error;
}

async function close(id: number): Promise<ImportProtocol['reply']> {
  await readers.get(id)?.close();
  readers.delete(id);
  return { closed: true };
}

parent.serve({
  async answer(request) {
    if ('open' in request) return open(request.open, request.options);
    if ('close' in request) return close(request.close);
    if ('cells' in request) return { cells: readers.get(request.cells)!.cellsOf(request.rows) };
    return next(request.next);
  },
});
