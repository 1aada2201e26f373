import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import { pino } from 'pino';
import { openContacts } from './bare-contacts.ts';
import { serveParent } from './child.ts';

/** The baseline: Koa and @koa/router look the key up, answer, and write a line to pino's default log with the fields of parley's. */
const contacts = openContacts(process.argv[2] ?? '');
const log = pino();

const router = new Router();
router.get('/api/v1/contacts', (ctx) => {
  ctx.body = contacts.list(String(ctx.state['organizationId']), Number(ctx.query['limit']));
});
router.get('/api/v1/contacts/:id', (ctx) => {
  const answer = contacts.get(String(ctx.state['organizationId']), String(ctx.params['id']));
  if (answer) ctx.body = answer;
});

let requests = 0;
const koa = new Koa();
koa.use(async (ctx, next) => {
  const startedAt = performance.now();
  const requestId = String(++requests);
  const organizationId = contacts.organizationOf(ctx.req.headers['x-api-key']);
  if (organizationId === undefined) ctx.status = 401;
  else {
    ctx.state['organizationId'] = organizationId;
    await next();
  }
  const durationMs = performance.now() - startedAt;
  log.info({ requestId, method: ctx.method, path: ctx.path, status: ctx.status, durationMs }, 'request');
});
koa.use(router.routes());
const server = koa.listen(0, '127.0.0.1', () => {
  serveParent({ port: (server.address() as AddressInfo).port }, () => {
    const { user, system } = process.cpuUsage();
    return { cpuUs: user + system };
  });
});
