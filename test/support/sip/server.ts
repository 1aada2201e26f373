import { pause } from '../../../src/base/clock.ts';
import { anAgent, aNumber, aPhone } from '../fixtures.ts';
import { type Data, dataOf, startTestServer, type TestServer } from '../server.ts';
import { portRange } from './ports.ts';

export type SipCall = Data & {
  call_id: string;
  state: string;
  status: string | null;
  disconnect_reason: string | null;
  error_message: string | null;
  duration_sec: number;
  sip: Record<string, unknown> & {
    status_code: number | null;
    codec: string | null;
    packets_sent: number;
    packets_received: number;
  };
};

/** A server with the carrier `sip` and the echo engine, in real time, whose trunks are on loopback. */
export type Telephony = {
  server: TestServer;
  /** The port of signalling. */
  port: number;
  agentId: string;
  number(terminationUri: string, fields?: object): Promise<Data & { phone: string }>;
  /** Calls a phone through a new number with this trunk; resolves with the call's id. */
  call(terminationUri: string, fields?: object, to?: string): Promise<string>;
  /** The call as soon as `isReached` is true of it. */
  when(callId: string, isReached: (call: SipCall) => boolean): Promise<SipCall>;
  ended(callId: string): Promise<SipCall>;
  timeline(callId: string): Promise<Array<{ at: string; type: string; detail: string | null }>>;
};

export const isEnded = ({ state }: SipCall): boolean => state === 'ended';
export const isInProgress = ({ state }: SipCall): boolean => state === 'in_progress';

/** Settings of a server that calls over SIP on this machine with the engine `echo`, on ports of its own. */
export async function sipSettings(): Promise<Record<string, string>> {
  const { portMin, portMax } = await portRange();
  return {
    'carrier.driver': 'sip',
    'speech.engine': 'echo',
    'sip.host': '127.0.0.1',
    'sip.port': '0',
    'sip.rtp_port_min': String(portMin),
    'sip.rtp_port_max': String(portMax),
    'sip.allow_networks': '["127.0.0.0/8"]',
  };
}

export async function startTelephony(
  t: { after(run: () => Promise<void>): void },
  settings: Readonly<Record<string, string>> = {},
): Promise<Telephony> {
  const server = await startTestServer({ testClock: false, settings: { ...(await sipSettings()), ...settings } });
  t.after(() => server.stop());
  const { id: agentId } = await anAgent(server);
  const { checks } = dataOf(await server.get<{ checks: Array<{ message: string }> }>('/system'));
  const port = checks.map(({ message }) => /signalling listens on port (\d+)/.exec(message)?.[1]).find(Boolean);
  const number = (uri: string, fields: object = {}) => aNumber(server, { termination_uri: uri, ...fields });

  async function when(callId: string, isReached: (call: SipCall) => boolean): Promise<SipCall> {
    for (;;) {
      const call = dataOf(await server.get<SipCall>(`/calls/${callId}`));
      if (isReached(call)) return call;
      if (isEnded(call)) throw new Error(`the call ended before that: ${JSON.stringify(call)}`);
      await pause(20);
    }
  }

  return {
    server,
    port: Number(port),
    agentId,
    number,
    async call(uri, fields, to = aPhone()) {
      const body = { agent_id: agentId, phone_number_id: (await number(uri, fields)).id, to };
      return dataOf(await server.post<SipCall>('/calls', body)).call_id;
    },
    when,
    ended: (callId) => when(callId, isEnded),
    timeline: async (callId) => dataOf(await server.get(`/calls/${callId}/timeline`)),
  };
}
