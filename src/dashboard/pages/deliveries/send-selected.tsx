import { api, retryWebhookDelivery, type WebhookDelivery } from '../../client.ts';
import { ActionProblem } from '../../parts/page.tsx';
import { Selected, type Selection } from '../../parts/selection.tsx';
import { useAction } from '../../state/action.ts';
import { announce } from '../../state/announce.ts';
import { deliveries } from '../../text/deliveries.ts';

/** Sends the selected deliveries of a page again. */
export function SendSelected({ selection, changed }: { selection: Selection<WebhookDelivery>; changed(): void }) {
  const action = useAction();
  const send = (): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      for (const id of selection.selected) {
        await retryWebhookDelivery(api, { params: { id }, idempotencyKey: `${idempotencyKey} ${id}` });
      }
      announce(deliveries.queued(selection.selected.size));
      selection.choose([]);
      changed();
    });
  return (
    <>
      <ActionProblem of={action} />
      <Selected selection={selection}>
        <button type="button" onClick={() => void send()}>
          {deliveries.sendSelected}
        </button>
      </Selected>
    </>
  );
}
