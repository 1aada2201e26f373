import type { App } from '../../../kernel/app.ts';
import { deletePassagesTask, addPassagesTask, writeTextTask } from './background-tasks.ts';
import type { Indexed } from './passages.ts';
import type { Portion } from '../../../search/index/portions.ts';

/** Portions per background task: about a tenth of a second, after which the job checks whether it was aborted. */
const portionsPerTask = 16;

/** `text` is null if the stored text stays as it is. */
type DocumentText = { title: string; text: string | null; portions: readonly Portion[] };

/**
 * Replaces text and passages of a document on the background thread, in many small transactions; it becomes findable
 * bit by bit. For documents that are long now or were before, whose old passages also take long to delete.
 * @returns false if the document changed in the meantime
 * @throws the signal's reason once it is aborted
 */
export async function writeLongDocument(
  app: App,
  { id, orgId, baseId, version }: Indexed,
  { title, text, portions }: DocumentText,
  signal: AbortSignal,
): Promise<boolean> {
  const document = { id, orgId, baseId, version };
  if (text !== null && !(await app.background.run(writeTextTask, { document, text }))) return false;
  do signal.throwIfAborted();
  while (await app.background.run(deletePassagesTask, { document }));
  for (let from = 0; from < portions.length; from += portionsPerTask) {
    signal.throwIfAborted();
    const batch = portions.slice(from, from + portionsPerTask);
    if (!(await app.background.run(addPassagesTask, { document, title, portions: batch }))) return false;
  }
  return true;
}
