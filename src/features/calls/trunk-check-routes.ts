import { conflict } from '../../base/errors.ts';
import type { App } from '../../kernel/app.ts';
import { operation } from '../../kernel/route.ts';
import { boolean, id, integer, nullable, object, oneOf, Type } from '../../kernel/schema.ts';
import { transports } from '../numbers/number.ts';
import { numberOf } from '../numbers/service.ts';
import type { TrunkCheck } from './carriers/carrier.ts';
import { trunkChecker } from './carriers/placing.ts';

/**
 * Sends OPTIONS to the trunk of a number.
 * @throws notFound when the organization has no such number; conflict when the number has no trunk, or no carrier of this server can check
 * trunks
 */
async function checkTrunk(app: App, orgId: string, numberId: string): Promise<TrunkCheck> {
  const number = await numberOf(app.db, orgId, numberId);
  if (number.status !== 'active') throw conflict(`${number.phone} is released.`);
  if (number.terminationUri === null) throw conflict(`${number.phone} has no termination_uri: set it first.`);
  return trunkChecker(app)(app, number);
}

/** Stands here and not in numbers/, because numbers must not import carriers. */
export const checkPhoneNumber = operation({
  operationId: 'checkPhoneNumber',
  tag: 'Phone numbers',
  summary: "Check whether the number's trunk answers, by a SIP OPTIONS request",
  params: object({ id: id('phone number') }),
  body: object({}),
  bodyOptional: true,
  data: object({
    reachable: boolean({ description: 'Whether the trunk answered, whatever it answered' }),
    status_code: nullable(integer()),
    transport: nullable(oneOf(transports)),
    address: nullable(Type.String({ description: 'Where the request went: address and port' })),
    duration_ms: integer(),
    detail: nullable(Type.String({ description: 'The status and reason phrase of the answer, or why there is none' })),
  }),
  message: 'Trunk checked.',
  errors: ['conflict'],
  ownTransactions: true,
  readOnly: true,
  async handle(app, { caller, params }) {
    const { statusCode, durationMs, ...rest } = await checkTrunk(app, caller.orgId, params.id);
    return { data: { ...rest, status_code: statusCode, duration_ms: Math.round(durationMs) } };
  },
});
