import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { forgetKnowledgeBase } from './store.ts';

/** Removes a deleted knowledge base from its agents, which otherwise could not be saved again. */
export const onKnowledgeBaseRemoved = (_app: App, tx: Tx, removed: { orgId: string; baseId: string }): Promise<void> =>
  forgetKnowledgeBase(tx, removed.orgId, removed.baseId);
