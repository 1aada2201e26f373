import { notFound } from '../../../../base/errors.ts';
import type { Queryable } from '../../../../db/transaction.ts';
import type { Call } from '../../call.ts';
import { findCall } from '../../service.ts';

/**
 * A call that was handed to the voice runtime, of any organization.
 * @throws notFound when there is no such call, or it belongs to another carrier
 */
export async function callOfRuntime(db: Queryable, callId: string): Promise<Call> {
  const call = await findCall(db, callId);
  if (!call || call.driver !== 'http') throw notFound('call');
  return call;
}
