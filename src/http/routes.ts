import { carrierDrivers } from '../features/calls/carriers/index.ts';
import { featureRoutes } from '../features/interface.ts';
import type { Access, Role, Route } from '../kernel/route.ts';
import { assetPath, pagePaths } from './dashboard/pages.ts';
import { systemRoutes } from './system-routes.ts';
import { testClockRoutes } from './test-clock-routes.ts';

/** Endpoints that answer without the envelope. They are not operations of the API, so they have no schemas. */
export const plainEndpoints = [
  { method: 'GET', path: '/ready', operationId: 'getReadiness', role: 'viewer', access: 'public' },
  { method: 'GET', path: '/livez', operationId: 'getLiveness', role: 'viewer', access: 'public' },
  { method: 'GET', path: '/metrics', operationId: 'getMetrics', role: 'admin', access: 'any' },
  { method: 'GET', path: '/openapi.json', operationId: 'getOpenApiDocument', role: 'viewer', access: 'public' },
  { method: 'GET', path: '/docs', operationId: 'getDocs', role: 'viewer', access: 'public' },
  { method: 'GET', path: '/docs/search', operationId: 'getDocsSearch', role: 'viewer', access: 'public' },
  { method: 'GET', path: '/docs/reference/{page}', operationId: 'getDocsReference', role: 'viewer', access: 'public' },
  { method: 'GET', path: '/docs/guides/{page}', operationId: 'getDocsGuide', role: 'viewer', access: 'public' },
  { method: 'GET', path: '/docs/pictures/{picture}', operationId: 'getDocsPicture', role: 'viewer', access: 'public' },
  { method: 'GET', path: '/docs/docs.css', operationId: 'getDocsStylesheet', role: 'viewer', access: 'public' },
  { method: 'GET', path: '/docs/docs.js', operationId: 'getDocsScript', role: 'viewer', access: 'public' },
] as const satisfies readonly Endpoint[];

/** The dashboard's pages and their files hold no data, so everybody gets them. */
const dashboardEndpoints = [...pagePaths, assetPath].map((path): Endpoint => {
  const operationId = path === assetPath ? 'getDashboardAsset' : 'getDashboardPage';
  return { method: 'GET', path, operationId, role: 'viewer', access: 'public' };
});

export type PlainOperation = (typeof plainEndpoints)[number]['operationId'];

const noServerError = new Error('no server is running');
const noServer = {
  advance: () => Promise.reject(noServerError),
  report: () => Promise.reject(noServerError),
  used: () => Promise.reject(noServerError),
};

/** All routes, for describing the API without a running server. `testClock` includes those of `--test-clock`. */
export const describedRoutes = ({ testClock }: { testClock: boolean }): Route[] => [
  ...featureRoutes,
  ...systemRoutes({
    driver: 'simulated',
    drivers: carrierDrivers.filter(({ isInternal }) => isInternal !== true).map(({ name }) => name),
    testClock,
    report: noServer.report,
    used: noServer.used,
  }),
  ...(testClock ? testClockRoutes(noServer) : []),
];

/** One endpoint of the server, as `parley routes` prints it. `role` has no meaning if `access` is `public`. */
export type Endpoint = {
  method: string;
  path: string;
  operationId: string;
  role: Role;
  access: Access;
  verifySignature?: Route['verifySignature'];
};

/** Everything that the server answers: the API's operations, those of `--test-clock` included, the plain endpoints and the pages. */
export const allEndpoints = (): Endpoint[] => [
  ...describedRoutes({ testClock: true }),
  ...plainEndpoints,
  ...dashboardEndpoints,
];
