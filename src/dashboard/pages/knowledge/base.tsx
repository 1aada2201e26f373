import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, getKnowledgeBase, type KnowledgeBaseWithSources, listKnowledgeSources } from '../../client.ts';
import { ThingHistory } from '../../parts/few/history.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { useLive } from '../../state/live.ts';
import { pageSize, query } from '../../state/location.ts';
import type { Params } from '../../state/pages.ts';
import { useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { pages } from '../../text/en.ts';
import { knowledge } from '../../text/knowledge.ts';
import { AddSources } from './add-sources.tsx';
import { Ask } from './ask.tsx';
import { BaseSettings } from './settings.tsx';
import { type LiveSource, Sources } from './sources.tsx';

type Live = { status: KnowledgeBaseWithSources['status']; sources: readonly LiveSource[] };

/** A base, and a page of its sources: its own answer has the newest ones only. */
async function load(id: string, offset: number, signal: AbortSignal) {
  const params = { kb_id: id };
  const [{ data }, sources] = await Promise.all([
    getKnowledgeBase(api, { params, signal }),
    listKnowledgeSources(api, { params, query: { limit: pageSize, offset }, signal }),
  ]);
  return { data, sources };
}

const stateOf = (data: KnowledgeBaseWithSources, live: Live | undefined): string => {
  if (live?.status === 'in_progress' || data.status === 'in_progress') return 'processing';
  return stateText(data) === undefined ? data.status : 'warn';
};

/** How many sources failed, where only some did. */
function stateText({ status, source_count: count, knowledge_base_sources: sources }: KnowledgeBaseWithSources) {
  const failed = sources.filter(({ source_status: each }) => each === 'error').length;
  return status === 'complete' && failed > 0 ? knowledge.failedOf(failed, count) : undefined;
}

export function KnowledgeBasePage({ params }: { params: Params }) {
  const id = params['id']!;
  const offset = Number(query.value.get('offset') ?? 0);
  const base = useResource(`${id} ${offset}`, (signal) => load(id, offset, signal));
  const live = useLive<Live>(base.data ? `knowledge:${id}` : undefined);
  const adding = useSignal(false);
  // Sources that came or went, and those that are read, are loaded with all that the list shows of them.
  const states = live?.sources.map(({ source_id: source, status }) => `${source} ${status}`).join();
  useEffect(() => {
    if (states !== undefined) base.reload();
  }, [states]);
  return (
    <Loaded of={base} heading={knowledge.heading}>
      {({ data, sources }) => (
        <Page
          heading={data.knowledge_base_name}
          crumb={{ href: '/knowledge', name: pages.knowledge }}
          actions={
            isMember.value && (
              <button type="button" class="primary" onClick={() => void (adding.value = true)}>
                {knowledge.add}
              </button>
            )
          }
        >
          {adding.value && <AddSources id={id} close={() => void (adding.value = false)} added={base.reload} />}
          <p>
            <Status value={stateOf(data, live)}>{stateText(data)}</Status>
          </p>
          {data.pending_embeddings > 0 && <p class="quiet">{knowledge.embeddings(data.pending_embeddings)}</p>}
          <Sources base={data} list={sources} live={live?.sources ?? []} changed={base.reload} />
          <Ask id={id} />
          {isMember.value && <BaseSettings base={data} changed={base.reload} />}
          <ThingHistory kind="knowledge_base" id={id} version={data.version} />
        </Page>
      )}
    </Loaded>
  );
}
