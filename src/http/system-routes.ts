import { isoOf } from '../base/clock.ts';
import { bind, operation, type Route } from '../kernel/route.ts';
import { boolean, object, oneOf, timestamp, Type } from '../kernel/schema.ts';

/** Describes the installation (contract, section 12). */
export const systemRoutes = (facts: { driver: string; simulated: boolean; testClock: boolean }): Route[] => [
  bind(
    operation({
      operationId: 'getSystem',
      tag: 'System',
      summary: 'Get system information',
      data: object({
        version: Type.String(),
        carrier: object({
          driver: Type.String(),
          simulated: boolean({ description: 'Whether calls are simulated, so that no telephone rings' }),
        }),
        storage: oneOf(['sqlite']),
        clock: object({ now: timestamp(), test: boolean() }),
        email: object({ configured: boolean() }),
      }),
      message: facts.simulated ? 'The carrier is simulated: no telephone rings.' : 'System information retrieved.',
      handle: (app) =>
        Promise.resolve({
          data: {
            version: app.version,
            carrier: { driver: facts.driver, simulated: facts.simulated },
            storage: 'sqlite' as const,
            clock: { now: isoOf(app.clock.now()), test: facts.testClock },
            email: { configured: app.config.email.host !== null },
          },
        }),
    }),
    { method: 'GET', path: '/api/v1/system', access: 'any', role: 'viewer' },
  ),
];
