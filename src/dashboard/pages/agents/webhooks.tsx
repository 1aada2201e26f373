import { useSignal } from '@preact/signals';
import {
  type Agent,
  api,
  getWebhookSecret,
  rotateWebhookSecret,
  testWebhookEndpoint,
  type WebhookEndpoint,
} from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { ActionProblem } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { announce } from '../../state/announce.ts';
import { agents } from '../../text/agents.ts';
import { ReceiverCode } from './receiver.tsx';
import { TestResult } from './test-result.tsx';

const overlapSeconds = 86_400;

type Props = { agent: Agent; endpoints: readonly WebhookEndpoint[] };

const ownOf = ({ agent, endpoints }: Props): WebhookEndpoint[] =>
  endpoints.filter(({ url }) => agent.webhookUrls.includes(url));

/** A button that sends a test event to each of the agent's URLs, and what came of them. */
export function SendTest(props: Props) {
  const action = useAction();
  const sent = useSignal<readonly string[]>([]);
  const own = ownOf(props);
  const test = (): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      if (own.length === 0) throw new Error(agents.noUrls);
      const ids: string[] = [];
      for (const { id } of own) {
        const options = { params: { id }, idempotencyKey: `${idempotencyKey} ${id}` };
        ids.push((await testWebhookEndpoint(api, options)).data.id);
      }
      sent.value = ids;
      announce(agents.testSent(own.length));
    });
  return (
    <>
      <button type="button" onClick={() => void test()}>
        {agents.test}
      </button>
      {sent.value.map((id) => (
        <TestResult key={id} id={id} />
      ))}
      <ActionProblem of={action} />
    </>
  );
}

/** The agent's URLs with their health. */
export function EndpointList(props: Props) {
  const own = ownOf(props);
  if (own.length === 0) return <p class="quiet">{agents.noUrls}</p>;
  return (
    <ul class="plain">
      {own.map(({ id, url, status, failures, last_error: fault }) => (
        <li key={id}>
          <Status value={status} /> <a href={`/deliveries?endpoint_id=${id}`}>{url}</a>
          {(status === 'failing' || failures > 0) && fault !== null && <p class="quiet">{fault}</p>}
        </li>
      ))}
    </ul>
  );
}

/** The health of the agent's URLs, and the secret that signs events. */
export function Webhooks(props: Props) {
  return (
    <>
      <section>
        <h2>{agents.webhooks}</h2>
        <EndpointList {...props} />
        <p>
          <a href={`/deliveries?agent_id=${props.agent.id}`}>{agents.seeDeliveries}</a>
        </p>
      </section>
      <section>
        <Secret agentId={props.agent.id} />
        <ReceiverCode />
      </section>
    </>
  );
}

type Shown = { secret: string; previous_expires_at: string | null };

/** Hidden until it is asked for; while a rotation overlaps, it says until when. */
function Secret({ agentId }: { agentId: string }) {
  const shown = useSignal<Shown | undefined>(undefined);
  const asking = useSignal(false);
  const action = useAction();
  const reveal = (): Promise<boolean> =>
    action.run(async () => void (shown.value = (await getWebhookSecret(api, { params: { id: agentId } })).data));
  const rotate = async (): Promise<void> => {
    await action.run(async ({ idempotencyKey }) => {
      const body = { overlap_seconds: overlapSeconds };
      shown.value = (await rotateWebhookSecret(api, { params: { id: agentId }, body, idempotencyKey })).data;
    }, agents.rotated);
  };
  return (
    <>
      <h2>{agents.secret}</h2>
      <p class="quiet">{agents.secretText}</p>
      <ActionProblem of={action} />
      {shown.value && <pre tabIndex={0}>{shown.value.secret}</pre>}
      {shown.value && shown.value.previous_expires_at !== null && (
        <p>
          {agents.previousUntil} <Instant at={shown.value.previous_expires_at} relative />.
        </p>
      )}
      <div class="actions">
        <button type="button" onClick={() => void reveal()}>
          {agents.reveal}
        </button>
        <button type="button" onClick={() => void (asking.value = true)}>
          {agents.rotate}
        </button>
      </div>
      {asking.value && (
        <Confirm
          title={agents.rotateTitle}
          text={agents.rotateText}
          action={agents.rotate}
          act={rotate}
          of={action}
          close={() => void (asking.value = false)}
        />
      )}
    </>
  );
}
