import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { scratch, serve } from '../cli/support.ts';
import { aKey, anEventType } from '../support/calendar.ts';
import { startFakeCal } from '../support/fake-cal.ts';
import { blocksOf, commandsOfCheckout, runGuide } from '../support/guides.ts';

/** Runs the commands of guides as they are written, and compares what the guides show of the answers. */

const start = '2026-03-02T09:00:00Z';
const advance = (ms: number): string => `api POST /api/v1/test-clock/advance '{"ms": ${ms}}' > /dev/null`;
const withoutServe = (code: string): string | undefined => (code.startsWith('parley serve ') ? undefined : code);

test('the guide to campaigns works as written, also where clocks change', async (t) => {
  const [serving] = blocksOf('campaigns.md');
  const [, clock] = /--test-clock (\S+)/.exec(serving!.code)!;
  const { ready } = await serve(t, ['--ephemeral', '--test-clock', clock!]);
  await runGuide(t, 'campaigns.md', { env: { URL: ready.url, KEY: ready.api_key! }, edit: withoutServe });
});

/** A campaign that has called four people; `00` completes, `01` misses its goals, `02` is busy, `04` is a mailbox. */
const endedCampaign = `
AGENT=$(api POST /api/v1/agents '{"agentName": "Ada", "model": "parley-demo", "voiceId": "01990000-0000-7000-8000-000000000101"}' | id)
api POST /api/v1/phone-numbers/import '{"phone": "+4930901820", "termination_uri": "sip.example.com"}' > /dev/null
CAMPAIGN=$(api POST /api/v1/campaigns '{"name": "First round", "agentId": "'$AGENT'", "fromPhoneNumber": "+4930901820"}' | id)
api POST /api/v1/campaigns/$CAMPAIGN/contacts '{"contacts": [{"phone": "+4930901800"}, {"phone": "+4930901801"}, {"phone": "+4930901802"}, {"phone": "+4930901804"}]}' > /dev/null
api PATCH /api/v1/campaigns/$CAMPAIGN '{"status": "active"}' > /dev/null
${advance(600_000)}
`;

test('the guide to results works as written', async (t) => {
  const { ready } = await serve(t, ['--ephemeral', '--test-clock', start]);
  const directory = scratch(t);
  await runGuide(t, 'results.md', {
    env: { URL: ready.url, KEY: ready.api_key! },
    cwd: directory,
    edit: (code, index) => (index === 0 ? endedCampaign + code : code),
  });
  assert.equal(readFileSync(join(directory, 'results.csv'), 'utf8').trim().split('\n').length, 5);
  assert.equal(readFileSync(join(directory, 'results.xlsx')).subarray(0, 2).toString(), 'PK');
});

test('the guide to the law works as written', async (t) => {
  const { ready } = await serve(t, ['--ephemeral', '--test-clock', start]);
  await runGuide(t, 'law.md', { env: { URL: ready.url, KEY: ready.api_key! } });
});

test('the guide to tests works as written, and so does its test in TypeScript', async (t) => {
  const directory = scratch(t);
  await runGuide(t, 'ci.md', { env: { PARLEY_LOG_LEVEL: 'warn' }, cwd: directory });
  assert.match(readFileSync(join(directory, 'system.json'), 'utf8'), /"simulated":true/);
  const code = blocksOf('ci.md').find(({ language }) => language === 'ts')!.code;
  const root = resolve(import.meta.dirname, '../..');
  // The client of the checkout in place of the package.
  writeFileSync(
    join(directory, 'busy.test.ts'),
    code.replace("'parley-client'", `'${root}/clients/typescript/index.ts'`),
  );
  const child = spawn(process.execPath, ['--test', 'busy.test.ts'], {
    cwd: directory,
    env: { PATH: process.env['PATH']!, PARLEY: join(commandsOfCheckout(t), 'parley') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.on('data', (text: Buffer) => void (printed += String(text)));
  assert.equal(await new Promise((done) => child.once('close', done)), 0, printed);
  assert.match(printed, /pass 1/);
});

test('the guide to signing in works as written', async (t) => {
  const { ready } = await serve(t, ['--ephemeral']);
  await runGuide(t, 'signing-in.md', { env: { URL: ready.url, KEY: ready.api_key! } });
});

test('the guide to the calendar works as written', async (t) => {
  const cal = await startFakeCal();
  t.after(() => cal.close());
  const { ready } = await serve(t, ['--ephemeral', '--test-clock', start, '--set', `calendar.base_url=${cal.url}`]);
  const eventType = anEventType({ slug: 'consultation', lengthInMinutes: 30, free: ['2026-03-03T09:00:00Z'] });
  const key = aKey(cal, { eventTypes: [eventType] });
  const printed = await runGuide(t, 'calendar.md', {
    env: { URL: ready.url, KEY: ready.api_key!, ORG: ready.org_id },
    edit: (code) => code.replace('cal_live_…', key),
  });
  assert.match(printed.at(-2)!, /2026-03-03T09:00:00/);
  assert.doesNotMatch(printed.join(''), /"success":false/);
});
