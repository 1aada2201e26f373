import { useSignal } from '@preact/signals';
import {
  api,
  deleteKnowledgeSource,
  type KnowledgeBaseWithSources,
  type KnowledgeSource,
  refreshKnowledgeSource,
} from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { ActionProblem } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { type PageMeta, Pager, Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { isoOf } from '../../parts/wall-clock.ts';
import { useAction } from '../../state/action.ts';
import { isMember } from '../../state/session.ts';
import { knowledge } from '../../text/knowledge.ts';
import { common } from '../../text/en.ts';

export type LiveSource = {
  source_id: string;
  status: KnowledgeSource['source_status'];
  pages_found: number | null;
  pages_waiting: number;
  error: string | null;
};

type Row = KnowledgeSource & { pagesFound: number | null };

/** `live` has the newest 1,000 sources; older ones are as they were loaded. */
function rowsOf(base: KnowledgeBaseWithSources, sources: readonly KnowledgeSource[], live: readonly LiveSource[]) {
  return sources.map((source): Row => {
    const now = live.find(({ source_id: id }) => id === source.source_id);
    const crawl = base.url_sources.find(({ source_id: id }) => id === source.source_id);
    return {
      ...source,
      source_status: now?.status ?? source.source_status,
      pages_waiting: now?.pages_waiting ?? source.pages_waiting,
      error: now ? now.error : source.error,
      pagesFound: now?.pages_found ?? crawl?.pages_found ?? null,
    };
  });
}

type List = { data: readonly KnowledgeSource[]; meta: PageMeta };
type Props = { base: KnowledgeBaseWithSources; list: List; live: readonly LiveSource[]; changed(): void };

export function Sources({ base, list, live, changed }: Props) {
  const action = useAction();
  const removing = useSignal<Row | undefined>(undefined);
  const params = (source: Row) => ({ params: { kb_id: base.knowledge_base_id, source_id: source.source_id } });
  const run = async (act: () => Promise<unknown>, success: string): Promise<void> => {
    if (await action.run(async () => void (await act()), success)) changed();
  };
  const refresh = (source: Row) => run(() => refreshKnowledgeSource(api, params(source)), knowledge.refreshed);
  const remove = (source: Row) => run(() => deleteKnowledgeSource(api, params(source)), knowledge.removed);
  const asked = removing.value;
  return (
    <section>
      <h2>{knowledge.sources}</h2>
      <ActionProblem of={action} />
      <Table
        caption={knowledge.sources}
        rows={rowsOf(base, list.data, live)}
        rowKey={({ source_id: id }) => id}
        empty={knowledge.noSources}
        columns={[
          { name: knowledge.source, cell: ({ source_name: name }) => name },
          { name: knowledge.type, cell: ({ source_type: type }) => knowledge.types[type] },
          { name: knowledge.status, cell: ({ source_status: status }) => <Status value={status} /> },
          { name: knowledge.progress, cell: (row) => <Progress row={row} /> },
          {
            name: knowledge.updated,
            cell: ({ updated_timestamp: ms }) => <Instant at={isoOf(ms)} relative />,
            instants: true,
          },
          ...(isMember.value
            ? [
                {
                  name: knowledge.actions,
                  cell: (row: Row) => (
                    <div class="actions">
                      {row.source_type === 'url' && (
                        <button type="button" onClick={() => void refresh(row)}>
                          {knowledge.refresh}
                        </button>
                      )}
                      <button type="button" class="danger" onClick={() => void (removing.value = row)}>
                        {knowledge.remove}
                      </button>
                    </div>
                  ),
                },
              ]
            : []),
        ]}
      />
      <Pager name={knowledge.sources} meta={list.meta} />
      {asked && (
        <Confirm
          title={knowledge.removeTitle(asked.source_name)}
          text={knowledge.removeText}
          action={knowledge.remove}
          act={() => remove(asked)}
          of={action}
          close={() => void (removing.value = undefined)}
        />
      )}
    </section>
  );
}

/** How far the reading has come; only web pages have parts to count. A failure says why. */
function Progress({ row }: { row: Row }) {
  const { source_status: status, pagesFound, pages_waiting: waiting, error, source_name: name } = row;
  const busy = status === 'pending' || status === 'processing';
  const total = (pagesFound ?? 0) + waiting;
  return (
    <>
      {busy && (
        <progress
          aria-label={knowledge.progressOf(name)}
          {...(pagesFound === null || total === 0 ? {} : { value: pagesFound, max: total })}
        />
      )}
      {pagesFound !== null && <div>{knowledge.pages(pagesFound, waiting)}</div>}
      {error !== null && <div class="fault">{error}</div>}
      {!busy && pagesFound === null && error === null && common.none}
    </>
  );
}
