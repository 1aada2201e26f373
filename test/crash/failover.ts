import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { settle, type Summary } from './aftermath.ts';
import { inspect } from './invariants.ts';
import { randomOf } from './random.ts';
import { createVolume } from './volume.ts';
import { aMoment, within } from './waiting.ts';
import { createWorld } from './world.ts';

export type FailOver = { directory: string; seed: number; moves: number; contacts: number; tell(text: string): void };

/** `readyMs`: from the mount to the answer of /ready, of each start. `jobs`: how many waited then. */
export type FailedOver = Summary & { readyMs: number[]; jobs: number[] };

const workLimitMs = 120_000;
/** After a restart work resumes within 20 s (docs/api/campaigns.md, "Dialing and retries"). */
const resumeLimitMs = 20_000;
/** Calls that wait or are in progress; each has some jobs. */
const backlog = 300;
/** Contacts whose removal begins before each start, with a job each. */
const backlogOfJobs = 1000;
/** Longer than other scenarios: so many calls wait. */
const settleLimitMs = 600_000;

/**
 * Cuts the power of a machine that works on a volume, attaches the volume to another place and starts there, again and again. In half of
 * the cases the process still runs when the volume is gone, as where a network cable is pulled.
 */
export async function failOver({ directory, seed, moves, contacts, tell }: FailOver): Promise<FailedOver> {
  const random = randomOf(seed);
  const places = [join(directory, 'one'), join(directory, 'two')] as const;
  const volume = createVolume(join(directory, 'volume.img'), places[0], 512 * 1_048_576 + contacts * 8_192);
  const world = await createWorld('http', seed, { backlog });
  const { server, work, answers } = world;
  const [readyMs, jobs]: [number[], number[]] = [[], []];
  try {
    server.moveTo(places[0]);
    await server.start();
    await server.stop();
    addContacts(join(server.data, 'parley.db'), contacts);
    await server.start();
    const begun = await world.begin({ onUnavailable: aMoment });
    const written = begun.writers.map((writer) => writer.written);
    for (let move = 1; move <= moves; move += 1) {
      await within(workLimitMs, 'work', Promise.all([answers.more(random.between(200, 1_500)), work.more(50)]));
      const isCutOff = random.chance(0.5);
      if (isCutOff) volume.cutPower();
      await server.kill();
      if (!isCutOff) volume.cutPower();
      const place = places[move % 2]!;
      volume.moveTo(place);
      server.moveTo(place);
      inspect(place, { simulated: false, written });
      removeContacts(join(place, 'parley.db'), Math.min(backlogOfJobs, contacts / moves));
      jobs.push(jobsIn(join(place, 'parley.db')));
      const mounted = performance.now();
      await server.start();
      readyMs.push(Math.round(performance.now() - mounted));
      tell(`move ${move}: ready after ${readyMs.at(-1)} ms with ${jobs.at(-1)} jobs`);
      await within(resumeLimitMs, 'work goes on after the move', work.more(1));
    }
    return { ...(await settle(world, begun, settleLimitMs)), readyMs, jobs };
  } catch (error) {
    console.error(`The end of the server's log:\n${server.log().slice(-4000)}`);
    throw error;
  } finally {
    await world.close();
    volume.remove();
  }
}

/** Writes contacts directly: as many requests would take minutes. */
function addContacts(file: string, many: number): void {
  const database = new Sqlite(file);
  try {
    database
      .prepare(
        `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)
        INSERT INTO contacts (id, organization_id, first_name, phone, metadata, search, created_at, updated_at)
        SELECT printf('018bcfe5-6800-7004-8000-%012x', n), (SELECT id FROM organizations LIMIT 1), 'Ada ' || n,
          '+4989' || (10000000 + n), '{}', 'ada ' || n || char(10) || '+4989' || (10000000 + n), 1700000000000, 1700000000000
        FROM numbers`,
      )
      .run(many);
  } finally {
    database.close();
  }
}

/** As a crash in the middle of many removals leaves them: hidden, with a job that forgets the rest. */
function removeContacts(file: string, many: number): void {
  const database = new Sqlite(file);
  try {
    database.exec(`BEGIN;
      INSERT INTO outbox (kind, key, scope, due_at, payload)
      SELECT 'contact.forget', id, organization_id, 0, json_object('orgId', organization_id) FROM contacts
      WHERE id LIKE '018bcfe5-6800-7004-8000-%' AND removed_at IS NULL LIMIT ${Math.floor(many)};
      UPDATE contacts SET removed_at = 0 WHERE id IN (SELECT key FROM outbox WHERE kind = 'contact.forget');
      COMMIT`);
  } finally {
    database.close();
  }
}

function jobsIn(file: string): number {
  const database = new Sqlite(file, { readonly: true });
  try {
    return database.prepare('SELECT count(*) FROM outbox').pluck().get() as number;
  } finally {
    database.close();
  }
}
