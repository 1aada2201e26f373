import { useSignal } from '@preact/signals';
import {
  type Agent,
  type AgentEdition,
  api,
  diffAgentEditions,
  getAgentEdition,
  getAnalytics,
  listAgentEditions,
  restoreAgentEdition,
} from '../../client.ts';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { spanOf } from '../../parts/span.ts';
import { ThingHistory } from '../../parts/few/history.tsx';
import { Loaded } from '../../parts/page.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { type Action, useAction } from '../../state/action.ts';
import { query } from '../../state/location.ts';
import { useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { agents } from '../../text/agents.ts';
import { fieldText } from '../../text/fields.ts';
import { common } from '../../text/en.ts';
import { list, number } from '../../text/plural.ts';
import { Differences } from './differences.tsx';

/** Goals that were met with each version within 90 days. */
async function loadGoals(agentId: string, signal: AbortSignal): Promise<Map<string, number>> {
  const asked = { ...spanOf(90), by: 'edition' as const, step: 'day' as const, agent_id: agentId };
  const { data } = await getAnalytics(api, { query: asked, signal });
  return new Map(data.rows.map(({ key, totals }) => [key, totals.goals_met]));
}

type Props = { agent: Agent; restored: (agent: Agent) => void };
type Open = { kind: 'compare' | 'restore'; edition: number };

const pageSize = 50;

/** What the agent was set to, from each change to the next. */
export function Versions({ agent, restored }: Props) {
  const offset = Number(query.value.get('offset') ?? 0);
  const editions = useResource(`${agent.id} ${agent.version} ${offset}`, (signal) =>
    listAgentEditions(api, { params: { agent_id: agent.id }, query: { limit: pageSize, offset }, signal }),
  );
  const goals = useResource(`goals ${agent.id}`, (signal) => loadGoals(agent.id, signal));
  const open = useSignal<Open | undefined>(undefined);
  const { restore, action } = useRestore(agent, restored);
  const close = (): void => void (open.value = undefined);
  const shown = open.value;
  return (
    <>
      <Loaded of={editions}>
        {({ data, meta }) => (
          <>
            <Table
              caption={agents.tabs.versions}
              rows={data}
              rowKey={({ edition }) => String(edition)}
              columns={[
                { name: agents.version, cell: ({ edition, note }) => <Named edition={edition} note={note} /> },
                { name: agents.when, cell: ({ at }) => <Instant at={at} seconds />, instants: true },
                { name: agents.who, cell: ({ by }) => by?.name ?? common.none },
                { name: agents.fields, cell: ({ fields }) => list(fields.map(fieldText)) || common.none },
                { name: agents.calls, cell: ({ calls }) => number(calls), numeric: true },
                {
                  name: agents.goals,
                  cell: ({ edition }) => (goals.data ? number(goals.data.get(String(edition)) ?? 0) : common.none),
                  numeric: true,
                },
                {
                  name: agents.actions,
                  cell: (row) => (
                    <Buttons
                      row={row}
                      isPresent={row.edition === agent.edition}
                      show={(kind) => void (open.value = { kind, edition: row.edition })}
                    />
                  ),
                },
              ]}
            />
            <Pager name={agents.tabs.versions} meta={meta} />
          </>
        )}
      </Loaded>
      <ThingHistory kind="agent" id={agent.id} version={agent.version} />
      {shown?.kind === 'compare' && <Compare agentId={agent.id} edition={shown.edition} close={close} />}
      {shown?.kind === 'restore' && (
        <ConfirmRestore agent={agent} edition={shown.edition} act={restore} of={action} close={close} />
      )}
    </>
  );
}

function Named({ edition, note }: { edition: number; note: string | null }) {
  return (
    <>
      {number(edition)}
      {note !== null && (
        <span class="sub" dir="auto">
          {note}
        </span>
      )}
    </>
  );
}

type ButtonProps = { row: AgentEdition; isPresent: boolean; show: (kind: Open['kind']) => void };

function Buttons({ row: { edition }, isPresent, show }: ButtonProps) {
  return (
    <span class="actions">
      {edition > 1 && (
        <button type="button" onClick={() => show('compare')}>
          {agents.compare}
        </button>
      )}
      {isMember.value && !isPresent && (
        <button type="button" onClick={() => show('restore')}>
          {agents.restore}
        </button>
      )}
    </span>
  );
}

function Compare({ agentId, edition, close }: { agentId: string; edition: number; close: () => void }) {
  return (
    <Dialog title={agents.against(edition, edition - 1)} close={close} wide>
      <Diff agentId={agentId} edition={edition} against={edition - 1} />
    </Dialog>
  );
}

/** The last change of the agent, who made it, and a button that takes it back. Beside the panel in which the agent is tried. */
export function LastChange({ agent, restored }: Props) {
  const { id, edition } = agent;
  const asking = useSignal(false);
  const { restore, action } = useRestore(agent, restored);
  const last = useResource(`${id} ${edition}`, async (signal) => {
    const [diff, entry] = await Promise.all([
      diffAgentEditions(api, { params: { agent_id: id, edition: String(edition) }, signal }),
      getAgentEdition(api, { params: { agent_id: id, edition: String(edition) }, signal }),
    ]);
    return { changes: diff.data.changes, by: entry.data.by?.name ?? common.none, at: entry.data.at };
  });
  if (!last.data) return null;
  const { changes, by, at } = last.data;
  return (
    <section>
      <div class="panel-head">
        <h2>{agents.against(edition, edition - 1)}</h2>
        <button type="button" class="tiny" onClick={() => void (asking.value = true)}>
          {agents.restoreOne(edition - 1)}
        </button>
      </div>
      <p class="quiet">
        {agents.changedBy(by)}
        <Instant at={at} />
      </p>
      <Differences changes={changes} />
      {asking.value && (
        <ConfirmRestore
          agent={agent}
          edition={edition - 1}
          act={restore}
          of={action}
          close={() => void (asking.value = false)}
        />
      )}
    </section>
  );
}

type ConfirmProps = {
  agent: Agent;
  edition: number;
  act: (edition: number) => Promise<void>;
  of: Action;
  close: () => void;
};

/** Asks, with what the restore would change. */
const ConfirmRestore = ({ agent, edition, act, of, close }: ConfirmProps) => (
  <Confirm
    title={agents.restoreTitle(edition)}
    text={agents.restoreText}
    action={agents.restore}
    act={() => act(edition)}
    of={of}
    close={close}
    wide
  >
    <Diff agentId={agent.id} edition={edition} against={agent.edition} />
  </Confirm>
);

function useRestore(agent: Agent, restored: Props['restored']) {
  const action = useAction();
  const restore = async (edition: number): Promise<void> => {
    await action.run(async ({ idempotencyKey }) => {
      const params = { agent_id: agent.id, edition: String(edition) };
      restored((await restoreAgentEdition(api, { params, body: {}, idempotencyKey, ifMatch: agent.version })).data);
    }, agents.restored);
  };
  return { restore, action };
}

/** The differences between two versions. */
function Diff({ agentId, edition, against }: { agentId: string; edition: number; against: number }) {
  const params = { agent_id: agentId, edition: String(edition) };
  const diff = useResource(
    `${edition} ${against}`,
    async (signal) => (await diffAgentEditions(api, { params, query: { with: against }, signal })).data,
  );
  return <Loaded of={diff}>{({ changes }) => <Differences changes={changes} />}</Loaded>;
}
