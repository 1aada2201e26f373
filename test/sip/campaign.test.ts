import { test } from 'node:test';
import { skipWithout } from '../support/sip/program.ts';
import { startTelephony } from '../support/sip/server.ts';
import { campaignSettings, runCampaign } from './campaign-run.ts';

/** 500 contacts, and a proxy that stands still for a minute, are in long.ts. */
test(
  'a campaign of 40 contacts through a proxy ends with exact statistics, webhooks and timelines',
  skipWithout('sipp', 'kamailio'),
  async (t) =>
    runCampaign(t, (await startTelephony(t, campaignSettings)).server, {
      contacts: 40,
      concurrent: 20,
      talkMs: [500, 1500],
      stopMs: 0,
    }),
);
