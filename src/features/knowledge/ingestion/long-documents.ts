import type { App } from '../../../kernel/app.ts';
import { forgetSome, writeSome, writeText } from './background-tasks.ts';
import type { Indexed } from './passages.ts';
import type { Portion } from '../../../search/index/portions.ts';

/** Portions that are handed over together: a tenth of a second's worth, after which a job that is to end ends. */
const portionsAtOnce = 16;

/** What is written of a document; `text` is null where that stays as it is. */
type Said = { title: string; text: string | null; portions: readonly Portion[] };

/**
 * Replaces what a document that is long, or was, says and its passages, in the thread beside: it becomes findable bit by bit. False
 * when the document changed meanwhile. @throws the signal's reason once it is aborted
 */
export async function writeLong(
  app: App,
  { id, orgId, baseId, version }: Indexed,
  { title, text, portions }: Said,
  signal: AbortSignal,
): Promise<boolean> {
  const document = { id, orgId, baseId, version };
  if (text !== null && !(await app.background.run(writeText, { document, text }))) return false;
  do signal.throwIfAborted();
  while (await app.background.run(forgetSome, { document }));
  for (let from = 0; from < portions.length; from += portionsAtOnce) {
    signal.throwIfAborted();
    const some = portions.slice(from, from + portionsAtOnce);
    if (!(await app.background.run(writeSome, { document, title, portions: some }))) return false;
  }
  return true;
}
