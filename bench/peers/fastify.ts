import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { openContacts } from '../support/bare-contacts.ts';
import { serveParent } from '../support/child.ts';

/** Fastify as the bare server of bench/http.ts: it looks the key up, answers, and writes its default log, two lines a request. */
const contacts = openContacts(process.argv[2] ?? '');
const app = fastify({ logger: true });
app.decorateRequest('organizationId', '');

declare module 'fastify' {
  interface FastifyRequest {
    organizationId: string;
  }
}

app.addHook('onRequest', (request, reply, done) => {
  const organizationId = contacts.organizationOf(request.headers['x-api-key']);
  if (organizationId === undefined) {
    void reply.code(401).send();
    return;
  }
  request.organizationId = organizationId;
  done();
});
app.get<{ Querystring: { limit: string } }>('/api/v1/contacts', (request, reply) => {
  void reply.send(contacts.list(request.organizationId, Number(request.query.limit)));
});
app.get<{ Params: { id: string } }>('/api/v1/contacts/:id', (request, reply) => {
  const answer = contacts.get(request.organizationId, request.params.id);
  void (answer ? reply.send(answer) : reply.code(404).send());
});

await app.listen({ port: 0, host: '127.0.0.1' });
serveParent({ port: (app.server.address() as AddressInfo).port }, () => {
  const { user, system } = process.cpuUsage();
  return { cpuUs: user + system };
});
