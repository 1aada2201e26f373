import { domainEvent } from '../../kernel/events.ts';

/** An agent became ACTIVE again, so its campaigns may go on. */
export const agentActivated = domainEvent<{ orgId: string; agentId: string }>('agent.activated');

/** An agent became INACTIVE, so it may make no more calls. */
export const agentDeactivated = domainEvent<{ orgId: string; agentId: string }>('agent.deactivated');

/** Emitted before an agent is deleted; a subscriber that still needs it throws a conflict. */
export const agentDeleting = domainEvent<{ orgId: string; agentId: string }>('agent.deleting');

/**
 * Emitted in batches, of which each is a transaction, until nothing refers to a deleted agent. A subscriber clears at most one batch of its
 * own, and sets `batch.isLast` to false if it may have more.
 */
export const agentForgetting = domainEvent<{ orgId: string; agentId: string; batch: { isLast: boolean } }>(
  'agent.forgetting',
);
