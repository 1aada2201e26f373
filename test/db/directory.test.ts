import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AppError, type Fault } from '../../src/base/errors.ts';
import { JsonObject } from '../../src/base/json.ts';
import { installation, transact } from '../../src/db/transaction.ts';
import { agentActivated, agentDeleting } from '../../src/features/agents/events.ts';
import { endpointsSaved } from '../../src/features/endpoints/events.ts';
import { removeAgent } from '../../src/features/agents/removal.ts';
import * as agents from '../../src/features/agents/service.ts';
import * as catalog from '../../src/features/catalog/service.ts';
import type { ContactInput } from '../../src/features/contacts/contact-input.ts';
import { addDoNotCall, listDoNotCall, removeDoNotCall } from '../../src/features/contacts/do-not-call.ts';
import { contactChanged, contactDeleting } from '../../src/features/contacts/events.ts';
import { addNote, deleteNote, listNotes } from '../../src/features/contacts/notes.ts';
import { removeContact } from '../../src/features/contacts/removal.ts';
import * as contacts from '../../src/features/contacts/service.ts';
import { numberReleasing } from '../../src/features/numbers/events.ts';
import { encryptionContext } from '../../src/features/numbers/number.ts';
import * as numbers from '../../src/features/numbers/service.ts';
import { createOrganization } from '../../src/features/organizations/service.ts';
import type { App } from '../../src/kernel/app.ts';
import { defaultLimit } from '../../src/kernel/paging.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

/** Tests the services of agents, contacts and numbers on a real database, without HTTP. */

const page = { limit: defaultLimit, offset: 0 };
const models = (names: readonly string[], isActive = true): string =>
  JSON.stringify(
    names.map((name) => ({
      llm_model: name,
      description: name,
      price: 0.1,
      is_active: isActive,
      voices: [1, 2].map((place) => ({ id: `${name}-v${place}`, voice_name: `Voice ${place}`, language: 'en-US' })),
    })),
  );

const told: Array<{ name: string; payload: unknown }> = [];
const listen = (app: App): void => {
  for (const event of [
    endpointsSaved,
    agentActivated,
    agentDeleting,
    contactChanged,
    contactDeleting,
    numberReleasing,
  ]) {
    app.events.on<unknown>(event, (_app, _tx, payload) => {
      told.push({ name: event.name, payload });
      return Promise.resolve();
    });
  }
};
const toldSince = (mark: number): string[] => told.slice(mark).map(({ name }) => name);

let shared: TestApp;
before(async () => {
  const inventory = '[{phone: "+12125550100", name: Office, monthly_price: 2.5}]';
  shared = await createTestApp({
    settings: { 'catalog.models': models(['fast', 'slow']), 'numbers.inventory': inventory },
    wire: listen,
  });
  await catalog.syncCatalog(shared.app);
});
after(() => shared.close());

const newOrganization = (app = shared.app): Promise<string> =>
  transact(app.db, installation, (tx) => createOrganization(app, tx, 'Org'));
const makeContacts = (orgId: string, inputs: ContactInput[]) =>
  transact(shared.app.db, installation, (tx) => contacts.createContacts(shared.app, tx, orgId, inputs));

const kindOf = (kind: string) => (error: unknown) => error instanceof AppError && error.kind === kind;
async function faultsOf(work: Promise<unknown>): Promise<string[]> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof AppError && error.kind === 'invalid', String(error));
  return (error.details ?? []).map((fault: Fault) => fault.path);
}

const anna = { agentName: 'Anna', model: 'fast', voiceId: 'fast-v1' };

test('a model that is removed from the catalog stays, inactive, as long as an agent uses it', async () => {
  const first = await createTestApp({ settings: { 'catalog.models': models(['old', 'gone']) } });
  await catalog.syncCatalog(first.app);
  const orgId = await newOrganization(first.app);
  const agent = await agents.createAgent(first.app, orgId, { agentName: 'A', model: 'old', voiceId: 'old-v2' });
  await first.close({ keep: true });

  const second = await createTestApp({ settings: { 'catalog.models': models(['new']) }, data: first.data });
  try {
    await catalog.syncCatalog(second.app);
    await catalog.syncCatalog(second.app);
    const { items, total } = await catalog.listModels(second.app, page);
    assert.equal(total, 2);
    assert.deepEqual(
      items.map((model) => [model.llmModel, model.isActive, model.voices.map((voice) => voice.id)]),
      [
        ['new', true, ['new-v1', 'new-v2']],
        ['old', false, ['old-v2']],
      ],
    );
    const renamed = await agents.updateAgent(second.app, orgId, agent.id, { agentName: 'B' });
    assert.deepEqual([renamed.agentName, renamed.model, renamed.voiceId], ['B', 'old', 'old-v2']);
    const another = agents.createAgent(second.app, orgId, { agentName: 'C', model: 'old', voiceId: 'old-v2' });
    assert.deepEqual(await faultsOf(another), ['model']);
  } finally {
    await second.close();
  }
});

test('all faults of an agent are reported at once, each at the field that was given', async () => {
  const orgId = await newOrganization();
  const faulty = agents.createAgent(shared.app, orgId, {
    ...anna,
    voiceId: 'slow-v1',
    knowledgeBaseIds: ['01990000-0000-7000-8000-000000000001'],
    webhook_url: 'https://user:secret@example.com/',
    webhook_urls: ['https://example.com/', 'http://example.com/', 'https://169.254.169.254/'],
  });
  assert.deepEqual(await faultsOf(faulty), [
    'voiceId',
    'knowledgeBaseIds[0]',
    'webhook_url',
    'webhook_urls',
    'webhook_url',
    'webhook_urls[1]',
    'webhook_urls[2]',
  ]);
  assert.equal((await agents.listAgents(shared.app, orgId, undefined, page)).total, 0);
});

test('an agent that only changes its model needs a voice of the new one', async () => {
  const orgId = await newOrganization();
  const { id } = await agents.createAgent(shared.app, orgId, anna);
  assert.deepEqual(await faultsOf(agents.updateAgent(shared.app, orgId, id, { model: 'slow' })), ['voiceId']);
  assert.deepEqual(await faultsOf(agents.updateAgent(shared.app, orgId, id, { model: 'none' })), ['model']);
  const moved = await agents.updateAgent(shared.app, orgId, id, { model: 'slow', voiceId: 'slow-v2' });
  assert.deepEqual([moved.model, moved.voiceId, moved.agentName], ['slow', 'slow-v2', 'Anna']);
});

test('saving webhook URLs emits which endpoints were added and removed, and saving other settings emits nothing', async () => {
  const orgId = await newOrganization();
  let mark = told.length;
  const { id } = await agents.createAgent(shared.app, orgId, anna);
  await agents.updateAgent(shared.app, orgId, id, { prompt: 'Hello' });
  assert.deepEqual(toldSince(mark), []);

  for (const settings of [
    { webhook_url: 'https://example.com/a' },
    { webhook_url: 'https://example.com/a' },
    { webhook_events: [] },
    { webhook_urls: ['https://example.com/b', 'https://example.com/c'] },
    { webhook_urls: null },
  ]) {
    await agents.updateAgent(shared.app, orgId, id, settings);
  }
  const changes = told.slice(mark).map(({ payload }) => payload as { added: string[]; removed: string[] });
  assert.deepEqual(
    changes.map(({ added, removed }) => [added.length, removed.length]),
    [
      [1, 0],
      [2, 1],
      [0, 2],
    ],
  );
  assert.deepEqual((await agents.agentOf(shared.app.db, orgId, id)).webhookEvents, []);

  mark = told.length;
  for (const status of ['ACTIVE', 'INACTIVE', 'INACTIVE', 'ACTIVE'] as const) {
    await agents.updateAgent(shared.app, orgId, id, { status });
  }
  await removeAgent(shared.app, orgId, id);
  assert.deepEqual(toldSince(mark), ['agent.activated', 'agent.deleting']);
});

test('each ended call is counted once in the total and once by its outcome', async () => {
  const orgId = await newOrganization();
  const { id } = await agents.createAgent(shared.app, orgId, anna);
  const outcomes = ['completed', 'failed', 'no_answer', 'busy', 'voicemail', 'busy'] as const;
  for (const outcome of outcomes)
    await transact(shared.app.db, installation, (tx) =>
      agents.countCall(tx, { agentId: id, agentEdition: 1 }, outcome),
    );
  const { callStats } = await agents.agentOf(shared.app.db, orgId, id);
  assert.deepEqual(callStats, { total: 6, completed: 1, failed: 1, noAnswer: 1, busy: 2, voicemail: 1 });
});

test('organizations do not see each other’s agents, contacts, notes and numbers', async () => {
  const { app } = shared;
  const [orgId, stranger] = [await newOrganization(), await newOrganization()];
  const agent = await agents.createAgent(app, orgId, anna);
  const [contact] = await makeContacts(orgId, [{ first_name: 'Ada', phone: '+4930901820' }]);
  const number = await numbers.importNumber(app, orgId, { phone: '+12125550190', termination_uri: 'sip.example.com' });
  await addDoNotCall(app, orgId, { phone: '+4930901820' });

  for (const work of [
    () => agents.agentOf(app.db, stranger, agent.id),
    () => agents.updateAgent(app, stranger, agent.id, { agentName: 'Mine' }),
    () => removeAgent(app, stranger, agent.id),
    () => contacts.contactOf(app.db, stranger, contact!.id),
    () => contacts.updateContact(app, stranger, contact!.id, { company: 'Mine' }),
    () => removeContact(app, stranger, contact!.id),
    () => addNote(app, stranger, contact!.id, 'Mine'),
    () => listNotes(app, stranger, contact!.id, page),
    () => numbers.numberOf(app.db, stranger, number.id),
    () => numbers.updateNumber(app, stranger, number.id, { name: 'Mine' }),
    () => numbers.releaseNumber(app, stranger, number.phone),
    () => removeDoNotCall(app, stranger, '+4930901820'),
  ]) {
    await assert.rejects(work, kindOf('not_found'));
  }
  assert.deepEqual(await contacts.findContacts(app.db, stranger, [contact!.id]), []);
  assert.equal((await contacts.contactsByPhone(app.db, stranger, ['+4930901820'])).size, 0);
  assert.equal((await contacts.findDoNotCallPhones(app.db, stranger, ['+4930901820'])).size, 0);
  assert.equal((await contacts.searchContacts(app, stranger, { q: 'Ada' }, page)).total, 0);
  assert.equal(await numbers.activeNumberByPhone(app.db, stranger, number.phone), undefined);
});

test('ten thousand contacts are created and found in one call each, in the order in which they were given', async () => {
  const orgId = await newOrganization();
  const odd = {
    first_name: 'O\u0000"\\\n',
    metadata: JsonObject.of({ snake_case: { camelCase: null }, list: [1.5, '%_', {}] }),
  };
  const inputs = Array.from({ length: 10_000 }, (_, index) => ({
    ...odd,
    last_name: String(index),
    do_not_call: index === 7,
  }));
  const made = await makeContacts(orgId, inputs);
  const found = await contacts.findContacts(
    shared.app.db,
    orgId,
    made.map((contact) => contact.id),
  );
  assert.deepEqual(
    found.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    made.map((contact) => Object.fromEntries(Object.entries(contact).filter(([name]) => name !== 'metadata'))),
  );
  assert.deepEqual(await contacts.contactOf(shared.app.db, orgId, made[7]!.id), made[7]);
  assert.deepEqual(
    made.map((contact) => contact.lastName),
    inputs.map((input) => input.last_name),
  );
});

test('a search finds any part of name, e-mail, phone and company, ignores case and knows no wildcards', async () => {
  const orgId = await newOrganization();
  await makeContacts(orgId, [
    {
      first_name: 'Jürgen',
      last_name: 'Öztürk',
      email: 'jo@example.com',
      phone: '+4930901820',
      company: '100 % Ärger_AG',
    },
    { first_name: 'Ada', metadata: JsonObject.of({ company: 'jürgen' }) },
  ]);
  const count = async (q: string): Promise<number | undefined> =>
    (await contacts.searchContacts(shared.app, orgId, { q }, page)).total;
  for (const q of ['JÜRGEN ÖZ', 'O@EXAMPLE', '309018', ' 4930', '% är', 'r_ag']) assert.equal(await count(q), 1, q);
  for (const q of ['', '  ']) assert.equal(await count(q), 2, 'blank');
  for (const q of ['%ger', 'jo_example', 'öztürkjo', 'nobody']) assert.equal(await count(q), 0, q);
  const [contact] = (await contacts.searchContacts(shared.app, orgId, { q: 'öztürk' }, page)).items;
  await contacts.updateContact(shared.app, orgId, contact!.id, { last_name: null });
  assert.equal(await count('öztürk'), 0, 'the search follows a change');
});

test('an event is emitted only for changes that concern calls, and a deleted contact takes its notes along', async () => {
  const { app } = shared;
  const orgId = await newOrganization();
  const [contact] = await makeContacts(orgId, [{ phone: '+4930901820', metadata: JsonObject.of({ a: 1, b: 2 }) }]);
  const { id } = contact!;
  const mark = told.length;
  const changed = await contacts.updateContact(app, orgId, id, {
    company: 'Acme',
    metadata: JsonObject.of({ b: 3 }),
    phone: '+4930901820',
  });
  assert.deepEqual(toldSince(mark), []);
  assert.deepEqual(changed.metadata.parsed(), { b: 3 });
  await contacts.updateContact(app, orgId, id, { phone: null });
  await contacts.updateContact(app, orgId, id, { do_not_call: true });
  for (const content of ['first', 'second', 'third']) await addNote(app, orgId, id, content);
  const { items } = await listNotes(app, orgId, id, { limit: 2, offset: 0 });
  assert.deepEqual(
    items.map((note) => note.content),
    ['third', 'second'],
  );
  await deleteNote(app, orgId, id, items[0]!.id);
  await assert.rejects(() => deleteNote(app, orgId, id, items[0]!.id), kindOf('not_found'));
  await removeContact(app, orgId, id);
  assert.deepEqual(toldSince(mark), ['contact.changed', 'contact.changed', 'contact.deleting']);
  const left = await app.db.selectFrom('contact_notes').select('id').where('contact_id', '=', id).execute();
  assert.deepEqual(left, []);
});

test('a subscriber that still needs a contact, an agent or a number prevents its deletion or release', async () => {
  const refusing = await createTestApp({
    settings: { 'catalog.models': models(['fast']) },
    wire: (app) => {
      for (const event of [agentDeleting, contactDeleting, numberReleasing]) {
        app.events.on<unknown>(event, () => Promise.reject(new AppError('conflict', 'Still needed.')));
      }
    },
  });
  const { app } = refusing;
  try {
    await catalog.syncCatalog(app);
    const orgId = await newOrganization(app);
    const agent = await agents.createAgent(app, orgId, anna);
    const [contact] = await transact(app.db, installation, (tx) => contacts.createContacts(app, tx, orgId, [{}]));
    const number = await numbers.importNumber(app, orgId, {
      phone: '+12125550190',
      termination_uri: 'sip.example.com',
    });
    await assert.rejects(() => removeAgent(app, orgId, agent.id), kindOf('conflict'));
    await assert.rejects(() => removeContact(app, orgId, contact!.id), kindOf('conflict'));
    await assert.rejects(() => numbers.releaseNumber(app, orgId, number.phone), kindOf('conflict'));
    assert.deepEqual(await agents.getAgent(app.db, orgId, agent.id), agent);
    assert.deepEqual(await contacts.contactOf(app.db, orgId, contact!.id), contact);
    assert.deepEqual(await numbers.findNumber(app.db, orgId, number.id), number);
  } finally {
    await refusing.close();
  }
});

test('adding to the do-not-call list counts new phones, and a phone is found by the list or by its contact’s flag', async () => {
  const { app } = shared;
  const orgId = await newOrganization();
  const [listed, flagged, free] = ['+4930901820', '+4930901821', '+4930901822'] as const;
  assert.equal(await addDoNotCall(app, orgId, { phones: [listed, listed], reason: 'asked' }), 1);
  assert.equal(await addDoNotCall(app, orgId, { phone: listed, reason: 'again' }), 0);
  assert.deepEqual((await listDoNotCall(app, orgId, page)).items, [
    { phone: listed, reason: 'asked', createdAt: app.clock.now() },
  ]);
  for (const input of [{}, { phone: listed, phones: [free] }]) {
    assert.deepEqual(await faultsOf(addDoNotCall(app, orgId, input)), ['phone', 'phones']);
  }

  const [contact] = await makeContacts(orgId, [{ phone: flagged, do_not_call: true }]);
  assert.deepEqual(
    await contacts.findDoNotCallPhones(app.db, orgId, [listed, flagged, free]),
    new Set([listed, flagged]),
  );
  assert.equal(await contacts.isDoNotCall(app.db, orgId, flagged, null), true);
  assert.equal(await contacts.isDoNotCall(app.db, orgId, listed, null), true);
  assert.equal(await contacts.isDoNotCall(app.db, orgId, flagged, contact!.id), true);
  assert.equal(await contacts.isDoNotCall(app.db, orgId, free, null), false);
  await removeDoNotCall(app, orgId, listed);
  assert.equal(await contacts.isDoNotCall(app.db, orgId, listed, null), false);
});

test('a phone number is active in one organization at a time, until it is released', async () => {
  const { app } = shared;
  const [orgId, other] = [await newOrganization(), await newOrganization()];
  const trunk = { phone: '+12125550123', termination_uri: 'sip.example.com', sip_password: 'open sesame' };
  const number = await numbers.importNumber(app, orgId, trunk);
  assert.ok(!number.encryptedSipPassword?.includes(trunk.sip_password));
  assert.equal(app.secrets.decrypt(number.encryptedSipPassword!, encryptionContext(number.id)), trunk.sip_password);
  await assert.rejects(() => numbers.importNumber(app, other, trunk), kindOf('conflict'));

  await numbers.releaseNumber(app, orgId, trunk.phone);
  await assert.rejects(() => numbers.releaseNumber(app, orgId, trunk.phone), kindOf('not_found'));
  const released = await numbers.numberOf(app.db, orgId, number.id);
  assert.deepEqual(
    [released.status, released.releasedAt, released.encryptedSipPassword],
    ['released', app.clock.now(), null],
  );
  const again = await numbers.importNumber(app, other, trunk);
  assert.equal((await numbers.activeNumberByPhone(app.db, other, trunk.phone))?.id, again.id);
});

test('a number of the inventory is on offer until an organization has it', async () => {
  const { app } = shared;
  const [orgId, other] = [await newOrganization(), await newOrganization()];
  const offer = { phone: '+12125550100', name: 'Office', monthlyPrice: 2.5 };
  assert.deepEqual(await numbers.availableNumbers(app), [offer]);
  const bought = await numbers.purchaseNumber(app, orgId, offer.phone);
  assert.deepEqual([bought.type, bought.name, bought.maxConcurrent, bought.maxCps], ['purchased', 'Office', 100, 10]);
  assert.deepEqual(await numbers.availableNumbers(app), []);
  await assert.rejects(() => numbers.purchaseNumber(app, other, offer.phone), kindOf('conflict'));
  await assert.rejects(() => numbers.purchaseNumber(app, other, '+12125550101'), kindOf('not_found'));
  await numbers.releaseNumber(app, orgId, offer.phone);
  assert.deepEqual(await numbers.availableNumbers(app), [offer]);
});

test('the dialer’s counters of a number survive a change of its settings', async () => {
  const { app } = shared;
  const orgId = await newOrganization();
  const { id } = await numbers.importNumber(app, orgId, { phone: '+12125550124', termination_uri: 'sip.example.com' });
  await transact(app.db, installation, async (tx) => {
    await numbers.setPaceAt(tx, id, 12);
    await numbers.reserveCapacity(tx, id, 123);
    await numbers.reserveCapacity(tx, id, 1234.5);
    await numbers.releaseCapacity(tx, id);
  });
  await numbers.updateNumber(app, orgId, id, { max_concurrent: 3, name: null });
  const { inFlight, paceAt, maxConcurrent, maxCps } = await numbers.numberOf(app.db, orgId, id);
  assert.deepEqual(
    { inFlight, paceAt, maxConcurrent, maxCps },
    { inFlight: 1, paceAt: 1234.5, maxConcurrent: 3, maxCps: 10 },
  );
});
