import { domainEvent } from '../../kernel/events.ts';

/** An endpoint became failing and is paused. Emitted in the transaction that records the failed attempt, once for each pause. */
export const endpointFailing = domainEvent<{
  orgId: string;
  endpointId: string;
  agentId: string;
  url: string;
  /** Why the endpoint's last attempt failed. */
  error: string;
  /** How many attempts of the delivery failed in a row. */
  failures: number;
  /** When the probe runs. */
  probeAt: number;
}>('webhook.endpoint_failing');
