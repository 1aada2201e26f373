import {
  api,
  type ListedWebhookEndpoint,
  pauseWebhookEndpoint,
  resumeWebhookEndpoint,
  retryFailedWebhookDeliveries,
} from '../../client.ts';
import { ActionProblem } from '../../parts/page.tsx';
import { Moment } from '../../parts/few/moment.tsx';
import { Spark } from '../../parts/spark.tsx';
import { Status } from '../../parts/status.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useAction } from '../../state/action.ts';
import { announce } from '../../state/announce.ts';
import { isMember } from '../../state/session.ts';
import { deliveries } from '../../text/deliveries.ts';
import { common } from '../../text/en.ts';
import { number } from '../../text/plural.ts';
import { shownUrl } from './filter.ts';

/** The health of the webhook URLs, and what mends a failing one. */
export function Endpoints({ rows, changed }: { rows: readonly ListedWebhookEndpoint[]; changed(): void }) {
  const action = useAction();
  const params = (id: string) => ({ params: { id } });
  const resume = (id: string): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      await resumeWebhookEndpoint(api, { ...params(id), idempotencyKey });
      changed();
    }, deliveries.resumed);
  const pause = (id: string): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      await pauseWebhookEndpoint(api, { ...params(id), body: {}, idempotencyKey });
      changed();
    }, deliveries.paused);
  const retry = (id: string): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      const { data } = await retryFailedWebhookDeliveries(api, { ...params(id), idempotencyKey });
      announce(deliveries.queued(data.queued));
      changed();
    });
  const actions: Column<ListedWebhookEndpoint> = {
    name: deliveries.actions,
    cell: ({ id, url, status, exhausted }) => (
      <div class="actions">
        {status !== 'delivering' && (
          <button type="button" class="tiny" aria-description={url} onClick={() => void resume(id)}>
            {deliveries.resume}
          </button>
        )}
        {(status === 'failing' || exhausted > 0) && (
          <button type="button" class="tiny" aria-description={url} onClick={() => void retry(id)}>
            {deliveries.retryFailed}
          </button>
        )}
        {status === 'delivering' && (
          <button type="button" class="tiny" aria-description={url} onClick={() => void pause(id)}>
            {deliveries.pause}
          </button>
        )}
      </div>
    ),
  };
  return (
    <>
      <ActionProblem of={action} />
      <Table
        caption={deliveries.endpoints}
        rows={rows}
        rowKey={({ id }) => id}
        empty={deliveries.noEndpoints}
        columns={isMember.value ? [...columns, actions] : columns}
      />
    </>
  );
}

const columns: ReadonlyArray<Column<ListedWebhookEndpoint>> = [
  {
    name: deliveries.url,
    cell: ({ url, agent_id: id, agent_name: name }) => (
      <>
        {shownUrl(url)}
        <span class="sub">
          <a href={`/agents/${id}`}>{name}</a>
        </span>
      </>
    ),
  },
  { name: deliveries.status, cell: (row) => <Health {...row} /> },
  { name: deliveries.lastDay, cell: ({ delivered_by_hour: hours }) => <LastDay hours={hours} /> },
  {
    name: deliveries.waiting,
    cell: ({ held, exhausted }) => (
      <>
        {number(held)}
        {exhausted > 0 && <span class="sub">{deliveries.givenUp(exhausted)}</span>}
      </>
    ),
    numeric: true,
  },
  { name: deliveries.fault, cell: ({ last_error: fault }) => fault ?? common.none },
];

/** The number below the line is its text for screen readers. */
function LastDay({ hours }: { hours: readonly number[] }) {
  const delivered = hours.reduce((sum, n) => sum + n, 0);
  return (
    <>
      <Spark values={hours} />
      <span class="sub">{deliveries.deliveredIn(delivered)}</span>
    </>
  );
}

function Health(endpoint: ListedWebhookEndpoint) {
  const { status, failures, held, exhausted, failing_since: since, next_attempt_at: next } = endpoint;
  const { paused_at: pausedAt, pause_reason: reason, last_delivered_at: lastAt } = endpoint;
  // Resumed, but not all that waited for it has been sent.
  const isHealing = status === 'delivering' && held + exhausted > 0;
  return (
    <>
      <Status value={isHealing ? 'healing' : status} />
      {status === 'delivering' && failures > 0 && <div class="quiet">{deliveries.failures(failures)}</div>}
      {status === 'paused' && pausedAt !== null && (
        <div class="quiet">
          {deliveries.pausedSince} <Moment at={pausedAt} none="" /> {reason}
        </div>
      )}
      {status === 'failing' && since !== null && (
        <div class="quiet">
          {deliveries.since} <Moment at={since} none="" />
        </div>
      )}
      {lastAt !== null && (
        <div class="quiet">
          {deliveries.lastDelivered} <Moment at={lastAt} none="" />
        </div>
      )}
      {status === 'failing' && next !== null && (
        <div class="quiet">
          {deliveries.nextTry} <Moment at={next} none="" />
        </div>
      )}
    </>
  );
}
