import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Config } from '../base/config/schema.ts';
import { gauge, type Metric } from '../base/metric.ts';
import { type LiveNode, nodeRoles, type OpenDatabase, rolesWhenActive } from '../db/open-database.ts';
import type { App } from '../kernel/app.ts';

export const nodeName = ({ node }: Config): string => node.name ?? hostname();

/** Lists the nodes that live; with SQLite, this process alone. */
export type NodeList = () => Promise<readonly LiveNode[]>;

export function createNodeList({ config, version, clock }: App, { nodes }: Pick<OpenDatabase, 'nodes'>): NodeList {
  if (nodes) return nodes;
  const own = { id: randomUUID(), name: nodeName(config), version, roles: rolesWhenActive, startedAt: clock.now() };
  return () => Promise.resolve([{ ...own, seenAt: clock.now() }]);
}

export const nodeMetric = (nodes: readonly LiveNode[]): Metric =>
  gauge(
    'parley_nodes',
    'Nodes that live, by role. An active node also has the roles of its work.',
    nodeRoles.map((role) => ({
      labels: { role },
      value: nodes.filter(({ roles }) => roles.includes(role)).length,
    })),
  );
