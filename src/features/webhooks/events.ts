import { domainEvent } from '../../kernel/events.ts';

/** An endpoint turned failing and is paused: told once per turn, in the transaction that records the failure. */
export const endpointFailing = domainEvent<{
  orgId: string;
  agentId: string;
  url: string;
  /** Why its last attempt failed. */
  error: string;
  /** When it is tried once more by itself. */
  probeAt: number;
}>('webhook.endpoint_failing');
