import { domainEvent } from '../../kernel/events.ts';

/** An agent became ACTIVE again, so its campaigns may go on. */
export const agentActivated = domainEvent<{ orgId: string; agentId: string }>('agent.activated');

/** Emitted before an agent is deleted; a subscriber that still needs it throws a conflict. */
export const agentDeleting = domainEvent<{ orgId: string; agentId: string }>('agent.deleting');
