import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { forgetKnowledgeBase } from './store.ts';

/** Agents do without a knowledge base that is gone: what refers to nothing could not be saved again. */
export const onKnowledgeBaseRemoved = (_app: App, tx: Tx, removed: { orgId: string; baseId: string }): Promise<void> =>
  forgetKnowledgeBase(tx, removed.orgId, removed.baseId);
