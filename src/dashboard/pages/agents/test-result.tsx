import { useEffect } from 'preact/hooks';
import { api, getWebhookDelivery } from '../../client.ts';
import { Status } from '../../parts/status.tsx';
import { useLive } from '../../state/live.ts';
import { useResource } from '../../state/resource.ts';
import { agents } from '../../text/agents.ts';

/** The result of a test event: whether the receiver took it, and if not, why. */
export function TestResult({ id }: { id: string }) {
  const loaded = useResource(id, async (signal) => (await getWebhookDelivery(api, { params: { id }, signal })).data);
  const live = useLive<object>('deliveries');
  const delivery = loaded.data;
  const isOpen = delivery?.status !== 'delivered' && delivery?.status !== 'exhausted';
  useEffect(() => {
    if (live && isOpen) loaded.reload();
  }, [live]);
  if (!delivery) return null;
  const fault = delivery.attempts.at(-1)?.error;
  return (
    <p>
      {agents.testEvent} <Status value={delivery.status} />
      {delivery.status !== 'delivered' && fault ? ` ${fault}` : ''}{' '}
      <a href={`/deliveries/${id}`}>{agents.seeTest(delivery.url)}</a>
    </p>
  );
}
