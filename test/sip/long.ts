import { test } from 'node:test';
import { skipWithout } from '../support/sip/program.ts';
import { runCampaign } from './campaign-run.ts';

/** `npm run test:sip:long`: takes minutes, and wants a machine that does nothing else. */

const skip = skipWithout('sipp', 'kamailio');
const campaign = { contacts: 500, concurrent: 50, talkMs: [2000, 8000] } as const;

test('a campaign of 500 contacts with 50 calls at once ends with exact statistics, webhooks and timelines', skip, (t) =>
  runCampaign(t, { ...campaign, stopMs: 0 }),
);

test('a trunk that stands still for a minute in the middle costs no contact', skip, (t) =>
  runCampaign(t, { ...campaign, stopMs: 60_000 }),
);
