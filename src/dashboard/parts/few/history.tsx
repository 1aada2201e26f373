import { api, listAuditLog, listAuditOperations } from '../../client.ts';
import { useResource } from '../../state/resource.ts';
import { isAdmin, isMember } from '../../state/session.ts';
import { audit, operationText } from '../../text/audit.ts';
import { ChangesOf } from './changes.tsx';
import { Loaded } from '../page.tsx';
import { Table } from '../table.tsx';
import { Instant } from '../time.tsx';

type Kind = 'agent' | 'campaign' | 'contact' | 'number' | 'knowledge_base';

/** Titles of operations, by operation. The server lists them for admins; for others a title is made of the operation's name. */
export async function loadTitles(signal: AbortSignal): Promise<Map<string, string>> {
  if (!isAdmin.value) return new Map();
  const { data } = await listAuditOperations(api, { signal });
  return new Map(data.map(({ operation, title }) => [operation, title]));
}

export const titleOf = (titles: ReadonlyMap<string, string> | undefined, operation: string): string =>
  titles?.get(operation) ?? operationText(operation);

const maxEntries = 50;

/** The audit entries about one thing, which members may see; another `version` loads them again. */
type Props = { kind: Kind; id: string; version: number; caption?: string };

export const ThingHistory = (props: Props) => (isMember.value ? <Entries {...props} /> : null);

function Entries({ kind, id, version, caption = audit.history }: Props) {
  const entries = useResource(`history ${id} ${version}`, async (signal) => {
    const query = { target_kind: [kind], target_id: [id], after: '', limit: maxEntries };
    return (await listAuditLog(api, { query, signal })).data;
  });
  const titles = useResource('titles', loadTitles);
  return (
    <Loaded of={entries}>
      {(rows) => (
        <section>
          <h2>{caption}</h2>
          <Table
            caption={caption}
            rows={rows}
            rowKey={(entry) => entry.id}
            empty={audit.empty}
            columns={[
              { name: audit.what, cell: ({ operation }) => titleOf(titles.data, operation) },
              { name: audit.time, cell: ({ at }) => <Instant at={at} seconds />, instants: true },
              { name: audit.actor, cell: ({ actor: { kind: who, name } }) => name ?? audit.kinds[who] },
              { name: audit.changed, cell: ({ changes }) => <ChangesOf changes={changes} /> },
            ]}
          />
        </section>
      )}
    </Loaded>
  );
}
