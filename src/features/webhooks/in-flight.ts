import { nodeState } from '../../kernel/node.ts';

/**
 * Ids of the deliveries with a running attempt. In memory only, since one process owns the data: the status `delivering` needs no write,
 * and a crash leaves none behind.
 */
export const inFlightOf = nodeState('deliveriesInFlight', () => new Set<string>());
