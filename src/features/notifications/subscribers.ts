import { isoOf } from '../../base/clock.ts';
import type { Tx } from '../../db/transaction.ts';
import type { App } from '../../kernel/app.ts';
import { agentOf } from '../agents/service.ts';
import { noticeLimit } from './notice-limit.ts';
import { notify } from './service.ts';

type FailingEndpoint = {
  endpointId: string;
  orgId: string;
  agentId: string;
  url: string;
  error: string;
  failures: number;
  probeAt: number;
};

/** Notifies the organization that a webhook URL is paused. */
export async function onEndpointFailing(app: App, tx: Tx, endpoint: FailingEndpoint): Promise<void> {
  if (!noticeLimit(app).take(tx, endpoint.endpointId)) {
    app.log.warn(
      { orgId: endpoint.orgId, endpoint: endpoint.endpointId },
      'too many notices about this endpoint; sending none',
    );
    return;
  }
  const { agentName } = await agentOf(tx, endpoint.orgId, endpoint.agentId);
  await notify(app, tx, {
    orgId: endpoint.orgId,
    kind: 'webhook.endpoint_failing',
    subject: `Webhook deliveries of ${agentName} are paused`,
    body: [
      `Deliveries to the webhook URL ${endpoint.url} of the agent ${agentName} have been paused since ${isoOf(app.clock.now())}.`,
      `What happened: ${attempts(endpoint.failures)} to deliver an event failed. The last error was: ${endpoint.error}`,
      'No event is lost. Events of calls that end from now on are held until deliveries resume.',
      'What to do: fix the endpoint, then save the webhook URL of the agent again, even unchanged (PUT ' +
        `/api/v1/agents/${endpoint.agentId}). All held events are then sent, oldest first.`,
      `If you do nothing, one delivery is tried again at ${isoOf(endpoint.probeAt)}. If it succeeds, deliveries resume; if it ` +
        'fails, they stay paused until the URL is saved again.',
    ].join('\n\n'),
  });
}

const attempts = (count: number): string => (count === 1 ? 'An attempt' : `${count} attempts in a row`);

type CarriersOutOfReach = {
  orgId: string;
  numbers: ReadonlyArray<{ phone: string; pausedAt: number; probeAt: number; reason: string }>;
};

/** A notice lists up to this many numbers, and says how many more there are. */
const maxNamed = 10;

/** Notifies the organization that calls from some of its numbers wait because their carrier cannot be reached. */
export async function onCarrierOutOfReach(app: App, tx: Tx, { orgId, numbers }: CarriersOutOfReach): Promise<void> {
  const named = numbers.slice(0, maxNamed).map(({ phone, pausedAt, reason }) => {
    return `${phone}, since ${isoOf(pausedAt)}. The last error was: ${reason}`;
  });
  const others = numbers.length - named.length;
  const first = numbers[0]!.phone;
  await notify(app, tx, {
    orgId,
    kind: 'carrier.out_of_reach',
    subject: `Calls from ${numbers.length === 1 ? first : `${numbers.length} phone numbers`} are paused`,
    body: [
      'The carrier that places the calls of these phone numbers cannot be reached:',
      [...named, ...(others > 0 ? [`and ${others} more`] : [])].join('\n'),
      'No contact is lost: contacts of campaigns wait and no attempt is counted. Single calls fail after waiting for 60 seconds.',
      'What to do: check the carrier, or the voice runtime, and the connection to it. Parley keeps trying one call, at least every 5 ' +
        'minutes. As soon as one gets through, calling goes on by itself.',
    ].join('\n\n'),
  });
}
