import { domainEvent } from '../../kernel/events.ts';

/**
 * Saving an agent's webhook URLs added or removed endpoints, or resumed failing ones. Emitted in the transaction that saves the URLs.
 * `added`, `removed` and `resumed` hold endpoint ids. The subscriber makes resumed endpoints deliver again.
 */
export const endpointsSaved = domainEvent<{
  orgId: string;
  agentId: string;
  added: readonly string[];
  removed: readonly string[];
  resumed: readonly string[];
}>('webhook.endpoints_saved');
