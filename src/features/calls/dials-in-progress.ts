import type { App } from '../../kernel/app.ts';
import { nodeState } from '../../kernel/node.ts';

/** The dial jobs that run now, from before their last look until the carrier has answered, by organization. */
const running = nodeState('dialsInProgress', () => new Map<string, Set<Promise<unknown>>>());

/** Counts a dial job of the organization until it is done. */
export async function whileDialing<T>(app: App, orgId: string, dialing: Promise<T>): Promise<T> {
  const known = running(app).get(orgId) ?? new Set();
  running(app).set(orgId, known.add(dialing));
  try {
    return await dialing;
  } finally {
    known.delete(dialing);
    if (known.size === 0) running(app).delete(orgId);
  }
}

/** Resolves when the dial jobs of the organization that run now are done, so that every later one has taken its last look after now. */
export const dialsSettled = async (app: App, orgId: string): Promise<void> =>
  void (await Promise.allSettled([...(running(app).get(orgId) ?? [])]));
