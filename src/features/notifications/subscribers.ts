import { isoOf } from '../../base/clock.ts';
import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { agentOf } from '../agents/service.ts';
import { notify } from './service.ts';

type FailingEndpoint = { orgId: string; agentId: string; url: string; error: string; probeAt: number };

/** Tells the organization that a webhook URL is paused (interface, Webhook delivery: "an e-mail notification is sent"). */
export async function onEndpointFailing(app: App, tx: Tx, endpoint: FailingEndpoint): Promise<void> {
  const { agentName } = await agentOf(tx, endpoint.orgId, endpoint.agentId);
  await notify(app, tx, {
    orgId: endpoint.orgId,
    kind: 'webhook.endpoint_failing',
    subject: `Webhook deliveries of ${agentName} are paused`,
    body: [
      `The webhook URL ${endpoint.url} of the agent ${agentName} is failing, so deliveries to it are paused.`,
      `The last attempt, at ${isoOf(app.clock.now())}: ${endpoint.error}`,
      'Events of calls that end from now on wait for it; nothing is lost.',
      `What to do: mend the endpoint, then save the webhook URL of the agent again. Whatever waits is then sent, oldest first. ` +
        `At ${isoOf(endpoint.probeAt)} one delivery is tried by itself; if it succeeds, the rest follows.`,
    ].join('\n\n'),
  });
}
