import { nodeState } from '../../kernel/node.ts';

/**
 * The deliveries that are being sent just now. In memory, because one process owns the data: the status `delivering` then costs no
 * write, and none is left over after a crash.
 */
export const inFlightOf = nodeState('deliveriesInFlight', () => new Set<string>());
