import { featureRoutes } from '../features/interface.ts';
import type { Route } from '../kernel/route.ts';
import { systemRoutes } from './system-routes.ts';
import { testClockRoutes } from './test-clock-routes.ts';

const nothingRuns = { advance: () => Promise.reject(new Error('no server runs here')) };

/** Every route that a server has, for describing the interface where none runs; `testClock`: those of `--test-clock` too. */
export const describedRoutes = ({ testClock }: { testClock: boolean }): Route[] => [
  ...featureRoutes,
  ...systemRoutes({ driver: 'simulated', simulated: true, testClock }),
  ...(testClock ? testClockRoutes(nothingRuns) : []),
];
