import { useEffect } from 'preact/hooks';
import { api, getWebhookDelivery, retryWebhookDelivery, type WebhookDeliveryInDetail } from '../../client.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ActionProblem, Loaded, Page } from '../../parts/page.tsx';
import { Status, valueText } from '../../parts/status.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { useLive } from '../../state/live.ts';
import type { Params } from '../../state/pages.ts';
import { useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { deliveries } from '../../text/deliveries.ts';
import { number } from '../../text/plural.ts';
import { Attempts } from './attempts.tsx';
import { curlOf } from './curl.ts';
import { Schedule } from './schedule.tsx';

export function DeliveryPage({ params }: { params: Params }) {
  const id = params['id']!;
  const delivery = useResource(id, async (signal) => (await getWebhookDelivery(api, { params: { id }, signal })).data);
  const counts = JSON.stringify(useLive<{ counts: unknown }>('deliveries')?.counts);
  useEffect(() => {
    if (counts !== undefined) delivery.reload();
  }, [counts]);
  const action = useAction();
  const again = (): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      await retryWebhookDelivery(api, { params: { id }, idempotencyKey });
      delivery.reload();
    }, deliveries.sentAgain);
  return (
    <Loaded of={delivery} heading={deliveries.delivery}>
      {(data) => (
        <Page
          heading={deliveries.delivery}
          actions={
            <>
              {isMember.value && (
                <button type="button" onClick={() => void again()}>
                  {deliveries.again}
                </button>
              )}
              <CopyButton name={deliveries.curl} text={() => curlOf(data)} />
            </>
          }
        >
          <ActionProblem of={action} />
          <section>
            <DeliveryFacts delivery={data} />
          </section>
          <h2>{deliveries.attempts}</h2>
          <Schedule delivery={data} />
          <Attempts rows={data.attempts} schedule={data.schedule} />
          <section aria-labelledby="payload">
            <h2 id="payload">{deliveries.payload}</h2>
            <pre tabIndex={0}>{JSON.stringify(data.payload, null, 2)}</pre>
          </section>
        </Page>
      )}
    </Loaded>
  );
}

function DeliveryFacts({ delivery }: { delivery: WebhookDeliveryInDetail }) {
  const { test, data } = delivery.payload as { test?: boolean; data?: { call_id?: unknown } };
  // The call of a test event never took place.
  const call = test === true ? undefined : data?.call_id;
  return (
    <Facts
      facts={[
        [
          deliveries.subject,
          delivery.subject &&
            deliveries.about(
              delivery.subject.contact_name ?? delivery.subject.phone,
              delivery.subject.outcome && valueText(delivery.subject.outcome),
            ),
        ],
        [deliveries.event, valueText(delivery.event)],
        [deliveries.status, <Status key="status" value={delivery.status} />],
        [deliveries.url, delivery.url],
        [deliveries.created, <Instant key="created" at={delivery.created_at} seconds relative />],
        [
          deliveries.delivered,
          delivery.delivered_at && <Instant key="delivered" at={delivery.delivered_at} seconds relative />,
        ],
        [
          deliveries.nextTry,
          delivery.next_attempt_at && <Instant key="next" at={delivery.next_attempt_at} seconds relative />,
        ],
        [deliveries.attempts, number(delivery.attempt_count)],
        [deliveries.eventId, delivery.event_id],
        [
          deliveries.call,
          typeof call === 'string' && (
            <a key="call" href={`/calls/${encodeURIComponent(call)}`}>
              {deliveries.seeCall}
            </a>
          ),
        ],
      ]}
    />
  );
}
