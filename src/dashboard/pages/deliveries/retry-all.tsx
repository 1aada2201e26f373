import { useSignal } from '@preact/signals';
import { api, listWebhookDeliveries, retryWebhookDeliveries } from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { ActionProblem } from '../../parts/page.tsx';
import { useAction } from '../../state/action.ts';
import { announce } from '../../state/announce.ts';
import { deliveries } from '../../text/deliveries.ts';
import type { filterOf } from './filter.ts';

type Filter = ReturnType<typeof filterOf> & { agent_id?: string; event_id?: string };

/** Sends all deliveries of the filters again. The server decides which, so that those of other pages are among them. */
export function RetryAll({ filter, changed }: { filter: Filter; changed(): void }) {
  const matching = useSignal<number | undefined>(undefined);
  const action = useAction();
  const { status, agent_id: agent, event_id: event, ...rest } = filter;
  // Sending again takes no agent and no event: what is shown would not be what is sent.
  if (status === undefined || agent !== undefined || event !== undefined) return null;
  const ask = (): Promise<boolean> =>
    action.run(async () => {
      const { meta } = await listWebhookDeliveries(api, { query: { ...filter, limit: 1, offset: 0 } });
      matching.value = meta.total;
    });
  const send = async (): Promise<void> => {
    await action.run(async ({ idempotencyKey }) => {
      const { data } = await retryWebhookDeliveries(api, { body: { status, ...rest }, idempotencyKey });
      announce(deliveries.queued(data.queued));
      changed();
    });
  };
  return (
    <>
      <ActionProblem of={action} />
      <p>
        <button type="button" onClick={() => void ask()}>
          {deliveries.retryAll}
        </button>
      </p>
      {matching.value !== undefined && (
        <Confirm
          title={deliveries.retryTitle(matching.value)}
          text={deliveries.retryText}
          action={deliveries.again}
          act={send}
          of={action}
          close={() => void (matching.value = undefined)}
        />
      )}
    </>
  );
}
