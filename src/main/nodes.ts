import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isoOf, realTimeMs } from '../base/clock.ts';
import type { Config } from '../base/config/schema.ts';
import { gauge, type Metric } from '../base/metric.ts';
import { type LiveNode, nodeRoles, type Nodes, type OpenDatabase, rolesWhenActive } from '../db/open-database.ts';
import type { App } from '../kernel/app.ts';
import { type Finding, finding } from './finding.ts';

export const nodeName = ({ node }: Config): string => node.name ?? hostname();

/** Lists the nodes that live; with SQLite, this process alone. */
export type NodeList = () => Promise<readonly LiveNode[]>;

export function createNodeList({ config, version, clock }: App, { nodes }: Pick<OpenDatabase, 'nodes'>): NodeList {
  if (nodes) return nodes.live;
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

/** A clock further away from the database's is told. */
const maxClockDistanceMs = 1000;

/** Whether another node could take over, and whether this machine's clock is right. None where the database is one process's own. */
export async function nodeFindings({ nodes }: Pick<OpenDatabase, 'nodes'>): Promise<Finding[]> {
  if (!nodes) return [];
  const [live, lost] = await Promise.all([nodes.live(), nodes.lost()]);
  return [standbyFinding(live, lost), await clockFinding(nodes)];
}

const namesOf = (nodes: readonly LiveNode[]): string => nodes.map(({ name }) => name).join(', ');

export function standbyFinding(live: readonly LiveNode[], lost: readonly LiveNode[]): Finding {
  const isActive = ({ roles }: LiveNode): boolean => roles.includes('active');
  const active = live.filter(isActive);
  const waiting = live.filter((node) => !isActive(node));
  const versions = new Set(live.map(({ version }) => version));
  const standing = waiting.length === 0 ? 'no other node stands by to take over' : `standing by: ${namesOf(waiting)}`;
  const parts = [
    active.length === 0 ? 'no node is active' : `active: ${namesOf(active)}`,
    standing,
    ...(versions.size > 1
      ? [`versions differ (${live.map(({ name, version }) => `${name} ${version}`).join(', ')})`]
      : []),
    ...lost.map(({ name, seenAt }) => `${name} was last seen at ${isoOf(seenAt)} and was not stopped`),
  ];
  const isWell = active.length > 0 && waiting.length > 0 && versions.size === 1 && lost.length === 0;
  return finding('nodes', isWell ? 'ok' : 'warn', parts.join('; '));
}

async function clockFinding({ now }: Nodes): Promise<Finding> {
  const askedMs = realTimeMs();
  const database = await now();
  const answeredMs = realTimeMs();
  // The database looked at its clock at some moment in between.
  const aheadMs = database < askedMs ? askedMs - database : Math.min(0, answeredMs - database);
  if (Math.abs(aheadMs) < maxClockDistanceMs)
    return finding('clock', 'ok', 'the clock of this machine agrees with that of the database');
  const distance = `${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
  return finding('clock', 'warn', `the clock of this machine is ${distance} that of the database; set it by NTP`);
}
