import { domainEvent } from '../../kernel/events.ts';

/** A knowledge base is being removed; told in the same transaction. */
export const knowledgeBaseRemoved = domainEvent<{ orgId: string; baseId: string }>('knowledge.base_removed');
