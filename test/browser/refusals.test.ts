import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page, Route } from 'playwright-core';
import { anAgent, aNumber } from '../support/fixtures.ts';
import { openPage, startDashboard } from './dashboard.ts';

const { server, visit } = await startDashboard();
await aNumber(server, { name: 'Line' });
const agent = await anAgent(server, { agentName: 'Robin' });

type Form = { path: string; open?: string; fields: Readonly<Record<string, string>>; submit: string; done: string };

/** Forms that make something, each with the text that says that it is made. */
const forms: Readonly<Record<string, Form>> = {
  contact: {
    path: '/contacts',
    open: 'New contact',
    fields: { 'First name': 'Ada', Phone: '+4930901850' },
    submit: 'Save',
    done: 'Ada',
  },
  agent: { path: '/agents/new', fields: { Name: 'Kit', Prompt: 'You are brief.' }, submit: 'Save', done: 'Kit' },
  campaign: { path: '/campaigns/new', fields: { Name: 'Autumn' }, submit: 'Save draft', done: 'Autumn' },
  person: {
    path: '/people',
    open: 'Invite a person',
    fields: { 'E-mail': 'new@example.com' },
    submit: 'Invite',
    done: 'new@example.com',
  },
  key: { path: '/people', open: 'New key', fields: { Name: 'Robot' }, submit: 'Create key', done: 'Robot' },
  'changed agent': {
    path: `/agents/${agent.id}`,
    fields: { 'First message': 'Hello!' },
    submit: 'Save',
    done: 'Saved.',
  },
};

const field = (scope: Page | Locator, name: string): Locator => scope.getByRole('textbox', { name, exact: true });
/** A forecast is asked by POST, and changes nothing. */
const isWrite = (route: Route): boolean =>
  !['GET', 'HEAD'].includes(route.request().method()) && !route.request().url().endsWith('/plan');

describe('forms', { concurrency: 3 }, () => {
  for (const [name, { path, open, fields, submit, done }] of Object.entries(forms)) {
    test(`the form for: ${name}, keeps what was typed when it is refused, waits when the server is busy, and sends once`, async () => {
      const { page } = await visit({ path: '/account' });
      await openPage(page, server.url + path);
      if (open !== undefined) await page.getByRole('button', { name: open, exact: true }).click();
      const scope = open === undefined ? page.getByRole('main') : page.getByRole('dialog', { name: open, exact: true });
      for (const [label, text] of Object.entries(fields)) await field(scope, label).fill(text);
      const answers = [
        { status: 409, code: 'CONFLICT', error: 'Somebody was faster.' },
        { status: 503, code: 'UNAVAILABLE', error: 'The server is busy.' },
        { status: 429, code: 'RATE_LIMITED', error: 'Too many requests.' },
      ];
      const sent: string[] = [];
      await page.route('**/api/v1/**', async (route) => {
        if (!isWrite(route)) return route.fallback();
        sent.push(route.request().headers()['idempotency-key'] ?? '');
        const answer = answers.shift();
        if (!answer) return route.fallback();
        const { status, code, error } = answer;
        const body = JSON.stringify({ success: false, code, error, message: error, details: [], request_id: 'r' });
        return route.fulfill({ status, headers: { 'retry-after': '1' }, contentType: 'application/json', body });
      });
      const send = scope.getByRole('button', { name: submit, exact: true });
      await send.dblclick();
      await scope.getByRole('alert').getByText('Somebody was faster.').waitFor();
      for (const [label, text] of Object.entries(fields)) assert.equal(await field(scope, label).inputValue(), text);
      assert.equal(sent.length, 1, 'a double click is one request');
      await send.dblclick();
      await page.getByText(done, { exact: true }).first().waitFor({ state: 'attached' });
      await page.locator('[aria-disabled=true]').first().waitFor({ state: 'detached' });
      assert.equal(answers.length, 0);
      assert.equal(sent.length, 4, 'refused, busy, busy, done');
      const [, ...repeated] = sent;
      if (repeated[0] !== '') assert.equal(new Set(repeated).size, 1, 'what is repeated has the same key');
    });
  }
});
