import { pause } from '../../src/base/clock.ts';
import { quick } from '../support/report.ts';
import { startReads } from '../support/reads.ts';
import { tell } from './findings.ts';
import { watchMachine } from './processes.ts';
import { send, serveTelephony, startCampaign, startTrunk } from './telephony.ts';

/** A small read of the API beside calls with sound in both directions, against the same server without calls. */

const calls = quick ? 100 : 300;
const seconds = quick ? 5 : 30;
const maxRatio = 2;

export async function measureApi(): Promise<void> {
  const [machine, trunk, server] = [await watchMachine(), await startTrunk(0, calls), await serveTelephony()];
  const p99 = async (): Promise<number> => {
    const reads = startReads(`${server.url}/api/v1/agents`, server.apiKey);
    await pause(seconds * 1000);
    const times = await reads.stop();
    return times[Math.floor(times.length * 0.99)]!;
  };
  const campaign = await startCampaign(server, trunk.port, { contacts: 0, maxCps: 100, maxConcurrent: calls });
  await p99(); // warms up
  machine.begin();
  const idle = await p99();
  const contacts = Array.from({ length: calls }, (_, at) => ({ phone: `+49309${String(1_000_000 + at)}` }));
  await send(server, 'POST', `/campaigns/${campaign}/contacts`, { contacts });
  for (let live = 0; live < calls; await pause(200)) {
    live =
      (await send<unknown[]>(server, 'GET', `/calls?state=in_progress&limit=100&offset=${calls - 100}`)).length +
      calls -
      100;
  }
  await trunk.talk();
  await pause(5000); // the greeting is over, and every packet is said back
  const beside = await p99();
  const bare = await machine.end();
  await server.stop();
  trunk.stop();
  tell(
    `API beside ${calls} calls, ${seconds} s each`,
    [
      { what: 'p99 of a small read on the idle server', found: `${idle.toFixed(2)} ms` },
      {
        what: 'beside the calls',
        found: `${beside.toFixed(2)} ms (${(beside / idle).toFixed(2)} times)`,
        limit: `at most ${maxRatio} times`,
        isMet: beside <= idle * maxRatio,
      },
    ],
    bare,
  );
}
