import { domainEvent } from '../../kernel/events.ts';

/** A knowledge base is removed; emitted in the transaction that hides it. */
export const knowledgeBaseRemoved = domainEvent<{ orgId: string; baseId: string }>('knowledge.base_removed');
