import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { settle } from './aftermath.ts';
import { inspect } from './invariants.ts';
import { aMoment, until, within } from './waiting.ts';
import { createWorld, type Driver, type World } from './world.ts';

/**
 * Imitates a full disk by limiting the size of the server's files (RLIMIT_FSIZE), which needs neither root nor a separate disk. Only
 * Linux lets one process set the limit of another.
 */
const skip = process.platform === 'linux' ? false : 'only Linux has prlimit';
const seed = Number(process.env['PARLEY_CRASH_SEED'] ?? Math.floor(Math.random() * 1e9));
const limitMs = 60_000;

const fillDisk = ({ server }: World): void => server.limitFiles(0);

async function ready({ server }: World): Promise<{ status: string; reason?: string }> {
  const { url } = await server.address();
  const response = await fetch(`${url}/ready`);
  const state = (await response.json()) as { status: string; reason?: string };
  assert.equal(response.status, state.status === 'ready' ? 200 : 503);
  return state;
}

const refuses = async ({ client }: World): Promise<boolean> => {
  const fate = await client.once('POST', '/contacts/', { company: 'nobody waits for this' });
  if (fate === 'unknown' || fate.status === 200) return false;
  assert.deepEqual([fate.status, fate.code], [503, 'UNAVAILABLE']);
  return true;
};

async function fillUp(driver: Driver): Promise<void> {
  const world = await createWorld(driver, seed);
  const { server, client, work, answers } = world;
  try {
    await server.start();
    const begun = await world.begin({ onUnavailable: aMoment });
    const written = begun.writers.map((writer) => writer.written);
    await within(limitMs, 'work', Promise.all([answers.more(100), work.more(20)]));

    fillDisk(world);
    await until(limitMs, 'the first refusal', () => refuses(world));
    const degraded = await ready(world);
    assert.equal(degraded.status, 'degraded');
    assert.match(degraded.reason!, /^the storage refuses writes: .*SQLITE_/);
    const { url } = await server.address();
    assert.equal((await fetch(`${url}/livez`)).status, 200);
    await client.all('/contacts/');
    await client.all('/calls');

    server.limitFiles(null);
    await until(limitMs, 'ready again', async () => (await ready(world)).status === 'ready');
    await within(limitMs, 'work goes on', Promise.all([answers.more(50), work.more(20)]));

    fillDisk(world);
    await until(limitMs, 'the second refusal', () => refuses(world));
    assert.deepEqual(await server.stop(), { code: 0, signal: null }, 'a full disk does not keep it from stopping');
    inspect(server.data, { simulated: driver === 'simulated', written });

    await server.start();
    await within(limitMs, 'work goes on', work.more(20));
    fillDisk(world);
    await until(limitMs, 'the third refusal', () => refuses(world));
    await server.kill();
    inspect(server.data, { simulated: driver === 'simulated', written });

    await server.start();
    assert.deepEqual(await ready(world), { status: 'ready' });
    await settle(world, begun);
  } catch (error) {
    console.error(`The end of the server's log:\n${server.log().slice(-4000)}`);
    throw error;
  } finally {
    await world.close();
  }
}

suite(`a full disk (PARLEY_CRASH_SEED=${seed})`, { concurrency: 2, skip }, () => {
  const does = 'writes answer 503, reads go on, and no acknowledged write is lost';
  test(`with the simulated carrier: ${does}`, () => fillUp('simulated'));
  test(`with the http carrier: ${does}`, () => fillUp('http'));
});
