import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { installation, transact, type Tx } from '../../src/db/transaction.ts';
import { createCampaign, updateCampaign } from '../../src/features/campaigns/service.ts';
import { importNumber } from '../../src/features/numbers/service.ts';
import type { Server } from './server.ts';

/** Campaigns of the benches of the dialer. Limits and contacts are written by SQL: the API allows no limits this high. */

const unlimited = 1_000_000;
export const unlimitedSettings = {
  'limits.organization.max_concurrent': String(unlimited),
  'limits.organization.max_cps': String(unlimited),
};

export type NewCampaign = {
  agentId: string;
  contacts: number;
  /** A number of its own without limits unless given. */
  numberId?: string;
};

let numbersMade = 0;

export async function makeNumber({ app, orgId }: Server, lines: number = unlimited): Promise<string> {
  const phone = `+49309018${String(numbersMade++).padStart(4, '0')}`;
  const { id } = await importNumber(app, orgId, { phone, termination_uri: 'sip.example.com' });
  await transact(app.db, installation, async (tx) => {
    await sql`UPDATE phone_numbers SET max_concurrent = ${lines}, max_cps = ${unlimited} WHERE id = ${id}`.execute(tx);
  });
  return id;
}

/** Creates a draft campaign without limits of its own. */
export async function makeCampaign(server: Server, given: NewCampaign): Promise<string> {
  const { app, orgId } = server;
  const { agentId, contacts } = given;
  const phoneNumberId = given.numberId ?? (await makeNumber(server));
  const fields = { name: 'Bench', agentId, phoneNumberId, maxCps: 100 };
  const { id } = await createCampaign(app, orgId, fields);
  await transact(app.db, installation, async (tx) => {
    await sql`UPDATE campaigns SET max_concurrent = ${unlimited} WHERE id = ${id}`.execute(tx);
  });
  await addContacts(server, id, contacts);
  return id;
}

/**
 * Inserts contacts and campaign contacts as the API would, but by SQL and 50,000 at a time. No phone ends in 01 to 09, for which the
 * simulated carrier has fixed outcomes (08 would be silent for an hour).
 */
async function addContacts({ app, orgId }: Server, campaignId: string, contacts: number): Promise<void> {
  const now = app.clock.now();
  const perCommit = 50_000;
  for (let from = 0; from < contacts; from += perCommit) {
    const until = Math.min(from + perCommit, contacts);
    await transact(app.db, installation, async (tx) => {
      await sql`
        WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${until})
        INSERT INTO contacts (id, organization_id, first_name, phone, search, created_at, updated_at)
        SELECT format('%s-%08x', ${campaignId}, i), ${orgId}, 'Ada', format('+4917%08d0', i), 'ada', ${now}, ${now} FROM n
      `.execute(tx);
      await sql`
        WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${until})
        INSERT INTO campaign_contacts (id, campaign_id, contact_id, position, name, phone, timezone, status)
        SELECT format('%s-%08x', ${campaignId}, i), ${campaignId}, format('%s-%08x', ${campaignId}, i), i, 'Ada',
               format('+4917%08d0', i), '', 'pending' FROM n
      `.execute(tx);
    });
  }
  await transact(app.db, installation, (tx) => countPending(tx, campaignId));
}

async function countPending(tx: Tx, campaignId: string): Promise<void> {
  await sql`
    INSERT INTO campaign_zones (campaign_id, timezone, pending)
    SELECT campaign_id, timezone, count(*) FROM campaign_contacts WHERE campaign_id = ${campaignId} GROUP BY timezone
    ON CONFLICT DO UPDATE SET pending = excluded.pending`.execute(tx);
  await sql`
    UPDATE campaigns SET (total, pending, next_position) = (SELECT sum(pending), sum(pending), sum(pending)
      FROM campaign_zones WHERE campaign_id = ${campaignId}) WHERE id = ${campaignId}`.execute(tx);
}

export const startCampaign = ({ app, orgId }: Server, id: string) =>
  updateCampaign(app, orgId, id, { status: 'active' });

/** Resolves when this many calls have ended. Reads the agents' counters, because counting calls would slow down what is measured. */
export async function callsEnded({ app }: Server, calls: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ n: number }>`SELECT sum(total_calls) AS n FROM agents`.execute(app.db);
    if (rows[0]!.n >= calls) return;
    await setTimeout(20);
  }
}
