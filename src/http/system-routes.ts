import { isoOf } from '../base/clock.ts';
import { nodeRoles } from '../db/open-database.ts';
import { bind, type Caller, operation, type Route } from '../kernel/route.ts';
import { boolean, integer, list, nullable, object, oneOf, type Static, timestamp, Type } from '../kernel/schema.ts';

const checkSchema = object(
  {
    id: Type.String({ description: 'Subject of the check, such as space, queue, webhooks or carrier' }),
    status: oneOf(['ok', 'warn', 'fail'], {
      description: 'fail: does not work; warn: may soon fail, or an optional part is off',
    }),
    message: Type.String(),
  },
  { title: 'SystemCheck' },
);

const reportFields = {
  checks: nullable(
    list(checkSchema, {
      description:
        "Findings of parley doctor about the installation and the caller's organization; null unless the role is admin",
    }),
  ),
  backup: object({
    last_at: nullable(timestamp('When the last backup was complete')),
    next_at: nullable(timestamp('When the next backup by schedule is due; null without backup.schedule')),
    path: nullable(Type.String({ description: 'File of the last backup; null unless the role is admin' })),
    size_bytes: nullable(integer({ minimum: 0, description: 'Size of that file; null if it is not there any more' })),
    error: nullable(Type.String({ description: 'Why a later attempt failed; null unless the role is admin' })),
  }),
  nodes: list(
    object(
      {
        id: Type.String({ description: 'Another one after each start' }),
        name: Type.String({ description: 'The setting node.name, or the name of the machine' }),
        version: Type.String(),
        roles: list(oneOf(nodeRoles), {
          description: 'standby for a node that stands by; active and the kinds of its work for the one that is active',
        }),
        started_at: timestamp(),
        seen_at: timestamp('Last heartbeat'),
      },
      { title: 'SystemNode' },
    ),
    { description: 'The nodes that live; with SQLite, the one server' },
  ),
  uptime_sec: integer({ minimum: 0 }),
  queue: object({
    due: integer({ minimum: 0, description: 'Jobs of the installation that are due and do not run yet' }),
    oldest_sec: integer({ minimum: 0, description: 'How long the oldest of them has been due; 0 if there is none' }),
  }),
};

const reportSchema = object(reportFields);
export type SystemReport = Static<typeof reportSchema>;
export type SystemReporter = (caller: Caller) => Promise<SystemReport>;

type SystemFacts = {
  /** `carrier.driver`. */
  driver: string;
  /** The names of all drivers that `carrier.driver` may have. */
  drivers: readonly string[];
  /** Every driver that the default or an active number uses. */
  used(this: void): Promise<{ drivers: string[]; simulated: boolean }>;
  testClock: boolean;
  report: SystemReporter;
};

/** Describes the installation. */
export const systemRoutes = (facts: SystemFacts): Route[] => [
  bind(
    operation({
      operationId: 'getSystem',
      tag: 'System',
      summary: 'Get system information',
      data: object({
        version: Type.String(),
        carrier: object({
          driver: oneOf(facts.drivers),
          simulated: boolean({ description: 'Whether calls are simulated, so that no telephone rings' }),
          drivers: list(oneOf(facts.drivers), {
            description: 'The drivers in use: that of the setting carrier.driver, and those that active numbers name',
          }),
        }),
        storage: oneOf(['sqlite', 'postgres']),
        clock: object({ now: timestamp(), test: boolean() }),
        email: object({ configured: boolean() }),
        ...reportFields,
      }),
      message: 'System information retrieved.',
      async handle(app, { caller }) {
        const used = await facts.used();
        const data = {
          version: app.version,
          carrier: { driver: facts.driver, ...used },
          storage: app.config.store.url === null ? ('sqlite' as const) : ('postgres' as const),
          clock: { now: isoOf(app.clock.now()), test: facts.testClock },
          email: { configured: app.config.email.host !== null },
          ...(await facts.report(caller)),
        };
        return { data, ...(used.simulated && { message: 'The carrier is simulated: no telephone rings.' }) };
      },
    }),
    { method: 'GET', path: '/api/v1/system', access: 'any', role: 'viewer' },
  ),
];
