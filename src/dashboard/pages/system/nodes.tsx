import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import type { System } from '../../state/session.ts';
import { systemTexts as text } from '../../text/system.ts';

const roleOf = ({ roles }: System['nodes'][number]): string => (roles.includes('active') ? 'active' : 'standby');

/** Who is active, and who stands by to take over. */
export function NodesSection({ nodes }: Pick<System, 'nodes'>) {
  return (
    <section>
      <h2>{text.nodes}</h2>
      <p class="quiet">{text.nodesText}</p>
      <Table
        caption={text.nodes}
        rows={nodes}
        rowKey={({ id }) => id}
        columns={[
          { name: text.node, cell: ({ name }) => name },
          {
            name: text.role,
            cell(node) {
              const role = roleOf(node);
              return <Status value={role}>{text.roles[role]}</Status>;
            },
          },
          { name: text.version, cell: ({ version }) => version },
          { name: text.startedAt, cell: ({ started_at: at }) => <Instant at={at} />, instants: true },
          { name: text.seenAt, cell: ({ seen_at: at }) => <Instant at={at} relative />, instants: true },
        ]}
      />
    </section>
  );
}
