import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { signatureHeaders } from '../../src/base/standard-webhooks.ts';
import { verifies } from '../unit/webhooks/verify.ts';
import type { Random } from './random.ts';
import { readBody } from './receiver.ts';
import type { Served } from './server.ts';
import { aMoment, type Tally } from './waiting.ts';

/** A voice runtime for the http carrier. It outlives the server, and repeats each report until the server acknowledges it. */
export type Runtime = {
  url: string;
  /** The accepted calls, with the status with which each will end. */
  taken: Map<string, string>;
  /** Calls whose end the server has acknowledged. */
  acknowledged: Set<string>;
  /** Things that a correct server never does: dial a call twice, sign wrongly, refuse a report. */
  faults: string[];
  /** From now on it answers and reports immediately, and causes no failures. */
  behave(): void;
  close(): void;
};

export const runtimeSecret = 'whsec_Y3Jhc2ggdGVzdHMga2VlcCBubyBzZWNyZXRzIQ==';

type Report = { type: 'ringing' | 'answered' | 'transcript' | 'ended'; status?: string; entries?: unknown };

export async function createRuntime(random: Random, work: Tally, server: Pick<Served, 'address'>): Promise<Runtime> {
  const taken = new Map<string, string>();
  const acknowledged = new Set<string>();
  const faults: string[] = [];
  let lingering: Array<() => void> = [];
  let behaving = false;

  /**
   * Resolves after a few more requests have arrived, or after a second: while the server pauses the
   * number after a refusal, no further request comes, and the answer to its one trial call must not wait for one.
   */
  const later = async (): Promise<void> => {
    if (behaving) return;
    await Promise.race([new Promise<void>((resolve) => lingering.push(resolve)), setTimeout(1000)]);
  };
  const goOn = (): void => {
    const [first, ...others] = lingering;
    lingering = behaving ? [] : others;
    first?.();
    if (behaving) for (const resolve of others) resolve();
  };

  async function report(callId: string, event: Report): Promise<void> {
    const body = JSON.stringify({ ...event, call_session_id: callId });
    for (;;) {
      const { url, gone } = await server.address();
      const id = `${callId}-${event.type}-${random.between(0, 1e9)}`;
      const headers = signatureHeaders([runtimeSecret], { id, timestampSec: Math.floor(Date.now() / 1000), body });
      const said = await fetch(`${url}/api/v1/calls/${callId}/events`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      }).catch(() => undefined);
      work.add();
      if (said === undefined) await gone;
      else if (said.status === 503) await aMoment();
      else {
        if (said.status !== 200) faults.push(`${callId} ${event.type}: ${said.status} ${await said.text()}`);
        return;
      }
    }
  }

  async function converse(callId: string, status: string): Promise<void> {
    for (const event of reportsOf(random, status)) {
      if (random.chance(0.3)) await later();
      await report(callId, event);
    }
    acknowledged.add(callId);
  }

  async function dial(callId: string, response: ServerResponse): Promise<void> {
    if (taken.has(callId)) faults.push(`${callId} was dialed twice`);
    const says = (status: number, body?: object): void => {
      response.writeHead(status).end(body === undefined ? '' : JSON.stringify(body));
    };
    if (!behaving && random.chance(0.02)) return says(429);
    if (random.chance(0.05)) return says(200, { accepted: false, reason: 'Out of lines.' });
    if (!behaving && random.chance(0.04)) return void response.destroy();
    const status = random.pick(['completed', 'completed', 'busy', 'no_answer', 'voicemail', 'failed']);
    taken.set(callId, status);
    converse(callId, status).catch(() => undefined); // rejects when the test calls `giveUp` of the server
    if (random.chance(0.15)) await later();
    if (!behaving && random.chance(0.05)) return void response.destroy();
    says(!behaving && random.chance(0.05) ? 500 : 200, random.chance(0.2) ? undefined : { accepted: true });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (!(await verifies(runtimeSecret, request.headers, body))) faults.push(`${request.url}: the signature is wrong`);
    goOn();
    work.add();
    if (request.method === 'GET') {
      response.writeHead(taken.has(request.url!.split('/').at(-1)!) ? 200 : 404).end();
      return;
    }
    const message = JSON.parse(body) as { type: string; call_session_id: string };
    if (message.type === 'call.dial') await dial(message.call_session_id, response);
    else response.writeHead(200).end();
  }

  const http = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy()); // the sender died while it sent the body
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/calls`,
    taken,
    acknowledged,
    faults,
    behave() {
      behaving = true;
      goOn();
    },
    close() {
      http.close();
      http.closeAllConnections();
    },
  };
}

/** The reports of a call. Some come twice or in the wrong order. */
function reportsOf(random: Random, status: string): Report[] {
  const entries = [{ timestamp_ms: 10, role: 'agent', content: 'Hello?' }];
  const answered: Report[] = status === 'completed' ? [{ type: 'answered' }, { type: 'transcript', entries }] : [];
  const reports: Report[] = [{ type: 'ringing' }, ...answered, { type: 'ended', status }];
  const told = reports.flatMap((report) => (random.chance(0.1) ? [report, report] : [report]));
  if (random.chance(0.15)) {
    const at = random.between(0, told.length - 2);
    told.splice(at, 2, told[at + 1]!, told[at]!);
  }
  return told;
}
