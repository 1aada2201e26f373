import type { Tx } from '../../../../db/transaction.ts';
import { findAgent } from '../../../agents/service.ts';
import { priceOf } from '../../../catalog/service.ts';
import type { Call } from '../../call.ts';

/** Minutes times the price of the agent's model, to four decimals. */
export async function costOf(tx: Tx, call: Call, durationSec: number): Promise<number> {
  const agent = await findAgent(tx, call.orgId, call.agentId);
  const price = agent && (await priceOf(tx, agent.model));
  return Math.round((durationSec / 60) * (price ?? 0) * 10_000) / 10_000;
}
