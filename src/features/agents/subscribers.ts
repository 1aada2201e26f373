import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { forgetKnowledgeBase } from './service.ts';

export const onKnowledgeBaseRemoved = (app: App, tx: Tx, removed: { orgId: string; baseId: string }): Promise<void> =>
  forgetKnowledgeBase(app, tx, removed.orgId, removed.baseId);
