import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { after, test, type TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { aCampaign, aContact, anAgent, aNumber, aPhone } from '../support/fixtures.ts';
import { transact } from '../../src/db/transaction.ts';
import { savePause } from '../../src/features/numbers/carrier-pause-store.ts';
import { aPassword } from '../support/people.ts';
import { type Data, dataOf } from '../support/server.ts';
import { openPage, startDashboard } from './dashboard.ts';
import { serveRecording } from './recorded-call.ts';

/**
 * What people come for, from the overview. A click is a press of the mouse, a choice in a list, a file, or Enter; fields are reached by Tab.
 * The number of clicks is held; seconds are printed, of a script that reads nothing.
 */
type Hand = {
  page: Page;
  click(what: Locator): Promise<void>;
  choose(what: Locator, label: string): Promise<void>;
  attach(field: Locator, file: TextFile): Promise<void>;
};
type TextFile = { name: string; mimeType: string; buffer: Buffer };

const { server, visit, open } = await startDashboard();
const number = await aNumber(server, { name: 'Main' });
const agent = await anAgent(server, {
  agentName: 'Robin',
  prompt: 'Greet.\nAsk for a time.',
  firstMessage: 'Good morning.',
});

async function aRunningCampaign(name: string, contacts: object[], over: object = {}): Promise<string> {
  const { id } = await aCampaign(server, { name, agentId: agent.id, phoneNumberId: number.id, ...over });
  dataOf(await server.post(`/campaigns/${id}/contacts`, { contacts }));
  dataOf(await server.patch(`/campaigns/${id}/`, { status: 'active' }));
  return id;
}

/** Nobody is called while the tests last. */
const evening = { schedule: { timezone: 'Europe/Berlin', windowStart: '20:00', windowEnd: '21:00' } };

/** Lets a member do a task, and fails where that takes more clicks. */
async function task(
  t: TestContext,
  most: number,
  act: (hand: Hand) => Promise<void>,
  prepare?: (page: Page) => Promise<unknown>,
) {
  const { page, expectQuiet } = await visit({ role: 'member', path: '/account' });
  await prepare?.(page);
  await openPage(page, `${server.url}/`);
  let clicks = 0;
  const began = performance.now();
  await act({
    page,
    click: async (what) => (clicks++, what.click()),
    choose: async (what, label) => (clicks++, void (await what.selectOption({ label }))),
    attach: async (field, file) => (clicks++, field.setInputFiles(file)),
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  t.diagnostic(`${clicks} of ${most} clicks, ${seconds} s by script`);
  assert.ok(clicks <= most, `${clicks} clicks, ${most} at most`);
  expectQuiet();
}

const button = (scope: Page | Locator, name: string): Locator => scope.getByRole('button', { name, exact: true });
const dialogOf = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });
const main = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });

/** Opens something by a part of its name: two clicks. */
async function find({ page, click }: Hand, text: string, option: RegExp): Promise<void> {
  await click(button(page.getByRole('banner'), 'Search or go to'));
  await page.getByRole('combobox', { name: 'Search or go to', exact: true }).fill(text);
  await click(dialogOf(page, 'Search or go to').getByRole('option', { name: option }).first());
}

test('stop everything now, and go on as it was', async (t) => {
  const id = await aRunningCampaign('Stopped', [{ phone: aPhone() }], evening);
  const stateOf = async () => dataOf(await server.get(`/campaigns/${id}`))['executionStatus'];
  t.after(() => server.post('/calling/resume', {}));
  await task(t, 2 + 1, async ({ page, click }) => {
    const banner = page.getByRole('banner');
    await click(button(banner, 'Stop all calling'));
    await click(button(dialogOf(page, 'Stop all calling?'), 'Stop all calling'));
    await banner.getByText('Calling is stopped', { exact: true }).waitFor();
    assert.equal(await stateOf(), 'paused');
    await click(button(banner, 'Resume calling'));
    await button(banner, 'Stop all calling').waitFor();
    assert.equal(await stateOf(), 'running');
  });
  dataOf(await server.patch(`/campaigns/${id}/`, { status: 'completed' }));
});

/** Why Mrs X is not called: how that came about, and what her page says. */
const reasons: Record<
  string,
  { says: RegExp; contact?: object; cause?: (id: string, phone: string) => Promise<unknown> }
> = {
  'her own zone': { contact: { timezone: 'America/New_York' }, says: /the zone of the contact/ },
  'do not call, by list': {
    cause: (_, phone) => server.post('/do-not-call', { phone, reason: 'Asked by letter' }),
    says: /On the do-not-call list since .*Asked by letter/,
  },
  'do not call, by flag': {
    cause: (id) => server.put(`/contacts/${id}/do-not-call`, { reason: 'Said so' }),
    says: /On the do-not-call list since .*Said so/,
  },
  'calling is stopped': { cause: () => server.post('/calling/stop', {}), says: /[Cc]alling is stopped/ },
};

for (const [name, { contact = {}, cause, says }] of Object.entries(reasons)) {
  test(`why Mrs X is not called: ${name}`, async (t) => {
    const phone = aPhone();
    const person = { phone, first_name: 'Marta', last_name: name.replaceAll(/\W/g, ''), ...contact };
    const made = await aContact(server, person);
    const id = await aRunningCampaign(`Evening ${name}`, [person], evening);
    await cause?.(made.id, phone);
    await task(t, 2, async (hand) => {
      await find(hand, person.last_name, /^Marta/);
      await hand.page.getByRole('heading', { level: 1, name: /^Marta/ }).waitFor();
      await hand.page.getByRole('main').filter({ hasText: says }).waitFor();
    });
    await server.post('/calling/resume', {});
    dataOf(await server.patch(`/campaigns/${id}/`, { status: 'completed' }));
  });
}

test('why Mrs X is not called: a retry waits', async (t) => {
  const phone = aPhone('03');
  await aRunningCampaign('Retried', [{ phone, first_name: 'Rita', last_name: 'Waits' }], {
    schedule: { retryAttempts: 2, retryGapMin: 240 },
    retryOn: ['busy', 'no_answer', 'failed', 'voicemail'],
  });
  await server.advance(300_000);
  await task(t, 2, async (hand) => {
    await find(hand, 'Rita', /^Rita/);
    const region = hand.page.getByRole('region', { name: 'When does it ring?', exact: true });
    await region
      .getByText(/retry|again|attempt/i)
      .first()
      .waitFor();
  });
});

test('why Mrs X is not called: the carrier is away', async (t) => {
  const { app } = server.running;
  const other = await aNumber(server);
  const [orgId, now] = [server.orgId, app.clock.now()];
  const pause = { pausedAt: now, probeAt: now + 600_000, probes: 0, reason: '503 Service Unavailable' };
  await transact(app.db, orgId, (tx) => savePause(tx, { orgId, numberId: other.id }, pause));
  const person = { phone: aPhone(), first_name: 'Nora', last_name: 'Away' };
  await aRunningCampaign('Away', [person], { phoneNumberId: other.id });
  await task(t, 2, async (hand) => {
    await find(hand, 'Nora', /^Nora/);
    const region = hand.page.getByRole('region', { name: 'When does it ring?', exact: true });
    await region
      .getByText(/out of reach|carrier/i)
      .first()
      .waitFor();
  });
});

test('who changed this agent, what, and back to before', async (t) => {
  const changed = await anAgent(server, { agentName: 'Changed', prompt: 'Greet.\nAsk for a time.' });
  dataOf(await server.put(`/agents/${changed.id}`, { prompt: 'Greet.\nAsk for money.' }));
  await task(t, 4, async (hand) => {
    const { page, click } = hand;
    await find(hand, 'Changed', /^Changed/);
    await page.getByText(/^Changed by /).waitFor();
    await page.getByRole('insertion').getByText('Ask for money.', { exact: true }).waitFor();
    await click(button(page, 'Restore version 1'));
    const asking = dialogOf(page, 'Restore version 1?');
    await asking.getByRole('deletion').getByText('Ask for money.', { exact: true }).waitFor();
    await click(button(asking, 'Restore'));
    await page.getByRole('heading', { name: 'Version 3 against 2', exact: true }).waitFor();
  });
  assert.equal(dataOf(await server.get(`/agents/${changed.id}`))['prompt'], 'Greet.\nAsk for a time.');
});

test('the CRM gets no events: find and mend', async (t) => {
  let answer = 410;
  const receiver = createServer(
    (request, response) => void request.resume().on('end', () => response.writeHead(answer).end()),
  );
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  after(() => (receiver.closeAllConnections(), receiver.close()));
  const told = await anAgent(server, {
    agentName: 'Told',
    webhookUrls: [`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/crm`],
  });
  const endpoint = dataOf(await server.get<Data[]>(`/webhooks/endpoints?agent_id=${told.id}`))[0]!;
  dataOf(await server.post(`/webhooks/endpoints/${endpoint.id}/test`));
  await server.advance(0);
  answer = 200;
  await task(t, 3, async ({ page, click }) => {
    await click(page.getByRole('region', { name: 'Incidents', exact: true }).getByRole('link', { name: /^Mend: / }));
    const row = page
      .getByRole('table', { name: 'Endpoints', exact: true })
      .getByRole('row')
      .filter({ hasText: 'Failing' });
    await row.getByText(/410/).first().waitFor();
    await click(button(row, 'Send failed again'));
    await click(button(page.getByRole('table', { name: 'Endpoints', exact: true }), 'Resume'));
    await row.waitFor({ state: 'detached' });
  });
});

/** The day after that of the test clock. */
const tuesday = '2026-03-03T09:00';

/** As people export it: semicolons, national numbers in several hands, a number twice, one that is none. */
const messyFile = [
  'Vorname;Nachname;Telefonnummer;Bemerkung',
  ...Array.from({ length: 200 }, (_, at) => `Ä${at};Müller;030 / 92 18 ${String(1000 + at)};"ruft; zurück"`),
  'Doppelt;Müller;+49 30 92181000;',
  'Ohne;Nummer;keine;',
].join('\r\n');

test('call 200 people tomorrow from 9 to 17 in Berlin, from a messy file', async (t) => {
  await task(t, 12, async ({ page, click, choose, attach }) => {
    await click(page.getByRole('main').getByRole('link', { name: 'New campaign', exact: true }));
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tomorrow');
    await choose(page.getByRole('combobox', { name: 'Agent', exact: true }), 'Robin');
    await choose(page.getByRole('combobox', { name: 'Caller number', exact: true }), `${number.phone} Main`);
    await page.getByRole('combobox', { name: 'Time zone', exact: true }).fill('Europe/Berlin');
    await page.getByLabel('Opens at', { exact: true }).fill('09:00');
    await page.getByLabel('Closes at', { exact: true }).fill('17:00');
    await page.getByLabel('Starts on', { exact: true }).fill(tuesday);
    await click(button(page, 'Save draft'));
    await click(button(page, 'Import contacts'));
    const importing = dialogOf(page, 'Import contacts');
    const file = { name: 'kunden.csv', mimeType: 'text/csv', buffer: Buffer.from(messyFile, 'latin1') };
    await attach(importing.getByLabel('CSV file', { exact: true }), file);
    await importing.getByText(/^20\d of 202 rows can be imported$/).waitFor();
    await click(button(importing, 'Import'));
    await click(button(importing, 'Close'));
    await click(button(page, 'Start'));
    const asking = dialogOf(page, 'Start calling?');
    await asking.getByText(/^200 /).first().waitFor();
    await click(button(asking, 'Start calling'));
    await button(page, 'Pause').waitFor();
  });
});

test('understand one call: what came of it, where it was slow, hear that sentence', async (t) => {
  const to = aPhone();
  const { call_id: id } = dataOf(
    await server.post<{ call_id: string }>('/calls', {
      agent_id: agent.id,
      phone_number_id: number.id,
      to,
      simulate: { outcome: 'completed', transcript: [{ role: 'agent', text: 'One moment.' }] },
    }),
  );
  await server.advance(120_000);
  let sound = { loaded: 0 };
  await task(
    t,
    2,
    async ({ page, click }) => {
      const latest = page.getByRole('list', { name: 'Latest calls', exact: true });
      await click(latest.getByRole('link', { name: to, exact: true }));
      await page.getByRole('heading', { name: `Call to ${to}`, exact: true }).waitFor();
      await page.getByRole('region', { name: 'Outcome', exact: true }).waitFor();
      await page.getByRole('table', { name: 'Where the time went', exact: true }).getByText('1,900 (slow)').waitFor();
      await click(page.getByRole('list', { name: 'Transcript', exact: true }).getByRole('button').first());
      await button(page, 'Pause').or(button(page, 'Play')).waitFor();
      while (sound.loaded === 0) await page.waitForRequest(`**/${id}/recording`);
    },
    async (page) => (sound = await serveRecording(page, server, id)),
  );
});

test('change the prompt, hear it, compare with the last one, save', async (t) => {
  await anAgent(server, { agentName: 'Tuned', prompt: 'Greet.', firstMessage: 'Good morning.' });
  await task(t, 5, async (hand) => {
    const { page, click } = hand;
    await find(hand, 'Tuned', /^Tuned/);
    await page.getByRole('textbox', { name: 'Prompt', exact: true }).fill('Greet.\nBe brief.');
    const talk = page.getByRole('region', { name: 'Conversation', exact: true });
    await talk.getByRole('textbox', { name: 'Say something', exact: true }).fill('Hello');
    await click(button(talk, 'Send'));
    await talk.getByText(/I heard: Hello/).waitFor();
    await click(button(page, 'Compare with version 1'));
    const compared = dialogOf(page, 'What is not saved against version 1');
    await compared.getByRole('insertion').getByText('Be brief.', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await compared.waitFor({ state: 'detached' });
    await click(button(page, 'Save'));
    await page.getByRole('heading', { name: 'Version 2 against 1', exact: true }).waitFor();
    await page.getByRole('insertion').getByText('Be brief.', { exact: true }).waitFor();
  });
});

test('take over a call that goes wrong: read along, say a sentence, hang up', async (t) => {
  const to = aPhone();
  const simulate = { outcome: 'completed', ring_ms: 1000, talk_ms: 600_000 };
  dataOf(await server.post('/calls', { agent_id: agent.id, phone_number_id: number.id, to, simulate }));
  await server.advance(5000);
  await task(t, 3, async ({ page, click }) => {
    await click(
      page.getByRole('list', { name: 'On the phone', exact: true }).getByRole('link', { name: to, exact: true }),
    );
    const transcript = page.getByRole('list', { name: 'Transcript', exact: true });
    await transcript.getByRole('button', { name: 'Good morning.', exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'The agent says next', exact: true }).fill('One moment, please.');
    await click(button(page, 'Say'));
    await server.advance(2000);
    await transcript.getByRole('button', { name: 'One moment, please.', exact: true }).waitFor();
    await click(button(page, 'Hang up'));
    await server.advance(5000);
    await button(page, 'Hang up').waitFor({ state: 'detached' });
  });
});

test('which agent reached its goal more often this week, at which hour', async (t) => {
  for (const ending of ['00', '01']) {
    const sent = { agent_id: agent.id, phone_number_id: number.id, to: aPhone(ending) };
    dataOf(await server.post('/calls', sent));
  }
  await server.advance(300_000);
  await task(t, 2, async ({ page, click }) => {
    await click(main(page, 'Analytics'));
    const agents = page.getByRole('table', { name: 'By agent', exact: true });
    await agents.getByRole('columnheader', { name: 'Goals', exact: true }).waitFor();
    await click(agents.getByRole('link', { name: 'Robin', exact: true }));
    await page.waitForURL(/agent_id=/);
    await page
      .getByRole('figure', { name: 'When people answer', exact: true })
      .getByText(/^The goal was met most often from \d+:00 to \d+:00: \d+\s?% of \d+ judged calls?\.$/)
      .waitFor();
  });
});

test('what may a colleague do who has just been invited', async (t) => {
  const { link } = dataOf(await server.post<{ link: string }>('/users', { email: 'new@example.com', role: 'viewer' }));
  const { page, expectQuiet } = await open(new URL(link).pathname + new URL(link).search);
  const began = performance.now();
  await page.getByRole('heading', { level: 1, name: /^Join / }).waitFor();
  await page
    .getByText(/viewer|see everything|read/i)
    .first()
    .waitFor();
  t.diagnostic(`0 clicks, ${((performance.now() - began) / 1000).toFixed(1)} s by script`);
  await page.getByLabel('Password', { exact: true }).fill(aPassword);
  expectQuiet();
});
