import { domainEvent } from '../../kernel/events.ts';

/** An agent's webhook URLs were saved, even unchanged; told in the same transaction. No URLs: the agent has none (any more). */
export const agentWebhooksSaved = domainEvent<{ orgId: string; agentId: string; urls: readonly string[] }>(
  'agent.webhooks_saved',
);

/** An agent became ACTIVE again: its campaigns may go on. */
export const agentActivated = domainEvent<{ orgId: string; agentId: string }>('agent.activated');

/** An agent is about to be deleted; a subscriber that needs it throws a conflict. */
export const agentDeleting = domainEvent<{ orgId: string; agentId: string }>('agent.deleting');
