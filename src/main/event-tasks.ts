import { AppError } from '../base/errors.ts';
import { given } from '../base/given.ts';
import { type Queryable, transact } from '../db/transaction.ts';
import { listAgents, organizationOfAgent } from '../features/agents/service.ts';
import { callStatuses } from '../features/calls/call.ts';
import { installationCaller, signToken } from '../features/organizations/tokens.ts';
import { callCompleted, sampleDataSchema } from '../features/webhooks/payload.ts';
import { sendSampleEvent } from '../features/webhooks/service.ts';
import type { App } from '../kernel/app.ts';
import { id, object, oneOf, optional } from '../kernel/schema.ts';
import { audit, optionalOrgId, organizationFor, type Task, task } from './task.ts';

type Wanted = { agent_id?: string | undefined; org_id?: string | undefined };

/** The organization that a command is about: that of the agent that it names, else the one that it names, else the only one. */
async function ownerFor(db: Queryable, { agent_id: agentId, org_id: orgId }: Wanted): Promise<string> {
  if (agentId === undefined) return organizationFor(db, orgId);
  const owner = await organizationOfAgent(db, agentId);
  if (owner === undefined || (orgId ?? owner) !== owner)
    throw new AppError('not_found', `There is no agent ${agentId}.`);
  return owner;
}

/** More would fill the screen. */
const maxNamed = 20;

/** @throws conflict that names the agents when there are several, or says that there is none */
async function onlyAgent(app: App, orgId: string): Promise<string> {
  const { items } = await listAgents(app, orgId, undefined, { limit: maxNamed, offset: 0, owner: orgId });
  const [only, ...others] = items;
  if (only === undefined) throw new AppError('conflict', 'There is no agent yet: create one first.');
  if (others.length === 0) return only.id;
  const named = items.map((agent) => `  ${agent.id}  ${agent.agentName}`);
  throw new AppError('conflict', ['There are several agents; choose one with --agent ID:', ...named].join('\n'));
}

/** The operator's tasks about webhook events. */
export const eventTasks: readonly Task[] = [
  // A token of its own, because listening goes on over HTTP as for everybody else.
  task('events.listen', object({ agent_id: optional(id('agent')), org_id: optionalOrgId }), async ({ app }, wanted) => {
    const orgId = await ownerFor(app.db, wanted);
    const { token } = await signToken(app, { ...installationCaller, orgId });
    await transact(app.db, orgId, (tx) => audit(app, tx, orgId, 'events.listen', {}));
    return { url: app.baseUrl(), access_token: token };
  }),
  task(
    'events.send',
    object({
      type: oneOf([callCompleted]),
      agent_id: optional(id('agent')),
      org_id: optionalOrgId,
      outcome: optional(oneOf(callStatuses)),
      data: optional(sampleDataSchema),
    }),
    async ({ app }, { outcome, data, ...wanted }) => {
      const orgId = await ownerFor(app.db, wanted);
      const agentId = wanted.agent_id ?? (await onlyAgent(app, orgId));
      return transact(app.db, orgId, async (tx) => {
        const eventId = await sendSampleEvent(app, orgId, { agentId, ...given({ outcome, data }) });
        await audit(app, tx, orgId, 'events.send', { event_id: eventId, agent_id: agentId });
        return { event_id: eventId };
      });
    },
  ),
];
