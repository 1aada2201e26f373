import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { answerCheck, type OpenApiDocument } from '../support/openapi.ts';
import { type Requests, requestsTo } from '../support/server.ts';
import { skipWithout, startCommand, temporaryDirectory } from '../support/sip/program.ts';
import { sipSettings } from '../support/sip/server.ts';
import { campaignSettings, runCampaign } from './campaign-run.ts';

/**
 * `npm run test:sip:packaged`: a campaign through the executable that `npm run package` builds, with an empty environment and an empty
 * working directory. PARLEY_EXECUTABLE names another executable.
 */
const executable = resolve(process.env['PARLEY_EXECUTABLE'] ?? join(import.meta.dirname, '../../dist/parley'));
if (!existsSync(executable)) throw new Error(`${executable} does not exist: run npm run package first.`);

async function startPackaged(t: TestContext): Promise<Requests> {
  const directory = temporaryDirectory(t);
  const readyFile = join(directory, 'ready.json');
  const settings = { ...(await sipSettings()), 'webhooks.allow_http_loopback': 'true', ...campaignSettings };
  const set = Object.entries(settings).flatMap(([path, value]) => ['--set', `${path}=${value}`]);
  const args = ['serve', '--data', join(directory, 'data'), '--port', '0', '--ready-file', readyFile, ...set];
  const program = startCommand(t, 'env', ['-i', executable, ...args], directory);
  let isGone = false;
  void program.ended.finally(() => (isGone = true));
  while (!existsSync(readyFile) || readFileSync(readyFile).length === 0) {
    if (isGone) throw new Error(`the executable ended:\n${program.output()}`);
    await pause(50);
  }
  const { url, api_key: apiKey } = JSON.parse(readFileSync(readyFile, 'utf8')) as { url: string; api_key: string };
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  return requestsTo(url, answerCheck(document), { apiKey });
}

test(
  'the executable runs a campaign of 500 contacts with 50 calls at once to exact statistics, webhooks and timelines',
  skipWithout('sipp', 'kamailio'),
  async (t) =>
    runCampaign(t, await startPackaged(t), { contacts: 500, concurrent: 50, talkMs: [2000, 8000], stopMs: 0 }),
);
