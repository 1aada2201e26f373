import { httpDriver } from '../../src/features/calls/carriers/http/driver.ts';
import { simulatedDriver } from '../../src/features/calls/carriers/simulated/driver.ts';
import { webDriver } from '../../src/features/calls/carriers/web/driver.ts';
import type { CarrierDriver, DriverSettings } from '../../src/features/calls/carriers/driver.ts';
import { sharedThread } from '../../src/features/calls/carriers/thread/shared-thread.ts';
import type { TelephonyThread } from '../../src/features/calls/carriers/thread/thread.ts';
import { speechSettings } from '../../src/talking/speech/settings.ts';
import { phoneDriver } from '../support/toy-carrier/phones.ts';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { installation, transact } from '../../src/db/transaction.ts';
import { createUser, passwordHashOf } from '../../src/features/organizations/people/service.ts';
import { aKey, anAccount, anEventType, startCalendar } from '../support/calendar.ts';
import type { FakeCal, FakeEventType } from '../support/fake-cal.ts';
import { aCampaign, aContact, anActiveModel, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { aBase } from '../support/knowledge.ts';
import { type Data, dataOf, type TestServer } from '../support/server.ts';

/** A server whose organization has at least one of every resource in the interface. */
export type World = {
  server: TestServer;
  fake: FakeCal;
  orgId: string;
  model: { model: string; voiceId: string };
  agentId: string;
  numberId: string;
  /** The id of a contact that is in the campaign `campaignId` and has a note. */
  contactId: string;
  campaignId: string;
  callId: string;
  endpointId: string;
  deliveryId: string;
  /** An event type at the connected calendar provider; `slot` is one of its free slots. */
  eventType: FakeEventType;
  slot: string;
  /** Phone numbers in the inventory; each can be bought once. */
  forSale: string[];
  hookUrl: string;
  /** A knowledge base that contains the ingested document `docId`. */
  baseId: string;
  docId: string;
  /** A user who can log in. */
  user: { email: string; password: string };
  stop(): Promise<void>;
};

const slot = '2026-03-03T10:00:00.000Z';
const inventory = ['+4930901820', '+4930901821', '+4930901822'];

const answeredCheck = {
  reachable: true,
  statusCode: 200,
  transport: 'udp',
  address: '192.0.2.1:5060',
  durationMs: 3,
  detail: 'OK',
} as const;

/** A stand-in for the carrier `sip`. It has no telephony thread; test calls can be begun, but nothing is heard in them. */
function sipStandIn(): CarrierDriver {
  const driver = phoneDriver('sip', [], () => answeredCheck);
  const settings = { ...(driver.settings as DriverSettings), speech: speechSettings };
  return {
    ...driver,
    settings: settings as CarrierDriver['settings'],
    create: (parts) => ({
      ...driver.create(parts),
      start(app) {
        sharedThread(app).thread = {} as TelephonyThread;
        return Promise.resolve();
      },
    }),
  };
}

export async function aWorld(settings: Readonly<Record<string, string>> = {}): Promise<World> {
  const hooks = http.createServer((request, response) => {
    response.statusCode = request.url === '/gone' ? 410 : 200;
    response.end();
  });
  await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve));
  const hookUrl = `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/`;
  const setting = await startCalendar({
    settings: {
      'numbers.inventory': JSON.stringify(inventory.map((phone) => ({ phone }))),
      'carrier.phones_sip.line': 'copper',
      'speech.engine': 'echo',
      ...settings,
    },
    carrierDrivers: [simulatedDriver, httpDriver, sipStandIn(), webDriver],
  });
  const { server, fake } = setting;
  const agent = await anAgent(server, { webhook_url: hookUrl });
  const number = await aNumber(server);
  const contact = await aContact(server, { first_name: 'Ada' });
  dataOf(await server.post(`/contacts/${contact.id}/notes`, { content: 'Called back.' }));
  const campaign = await aCampaign(server, { agentId: agent.id, phoneNumberId: number.id });
  dataOf(await server.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [contact.id] }));
  const call = dataOf(
    await server.post('/calls', { agent_id: agent.id, to: aPhone('00'), phone_number_id: number.id }),
  );
  await server.advance(60_000);
  const [endpoint] = dataOf(await server.get<Data[]>('/webhooks/endpoints'));
  const [delivery] = dataOf(await server.get<Data[]>('/webhooks/deliveries'));
  // An endpoint that answers 410 Gone causes a notice at once.
  const gone = await anAgent(server, { webhook_url: `${hookUrl}gone` });
  const endpoints = dataOf(await server.get<Array<Data & { agent_id: string }>>('/webhooks/endpoints'));
  dataOf(await server.post(`/webhooks/endpoints/${endpoints.find((each) => each.agent_id === gone.id)!.id}/test`));
  await server.running.runner.settled();
  dataOf(await server.del(`/agents/${gone.id}`));
  dataOf(await server.post('/do-not-call', { phone: aPhone() }));
  const eventType = anEventType({ free: [slot, '2026-03-03T11:00:00.000Z'] });
  const key = aKey(fake, { eventTypes: [eventType] });
  await anAccount(server, key);
  await anAccount(server, key, { agent_id: agent.id });
  const baseId = await aBase(server);
  const docId = 'returns';
  const document = { kb_id: baseId, doc_id: docId, text: 'What you bought may be returned within 30 days.' };
  dataOf(await server.post('/rag/document', document));
  await server.running.runner.settled();
  const user = { email: 'ada@example.com', password: 'correct horse battery staple' };
  const passwordHash = await passwordHashOf(user.password);
  const { app } = server.running;
  await transact(app.db, installation, (tx) =>
    createUser(app, tx, server.orgId, { email: user.email, role: 'member', passwordHash }),
  );
  return {
    server,
    fake,
    orgId: server.orgId,
    model: await anActiveModel(server),
    agentId: agent.id,
    numberId: number.id,
    contactId: contact.id,
    campaignId: campaign.id,
    callId: String(call['call_session_id']),
    endpointId: endpoint!.id,
    deliveryId: delivery!.id,
    eventType,
    slot,
    forSale: [...inventory],
    hookUrl,
    baseId,
    docId,
    user,
    async stop() {
      await setting.stop();
      hooks.closeAllConnections();
      await new Promise((resolve) => hooks.close(resolve));
    },
  };
}
