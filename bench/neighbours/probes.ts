import { endpointsOf, makeAgent, makeBase, type Tenant } from './tenant.ts';

/** The actions of the organization under attack, by name. Each resolves when its effect is visible. */
export type Probes = Readonly<Record<string, () => Promise<void>>>;

export type ProbeTools = {
  tenant: Tenant;
  url: string;
  sink: string;
  /** Resolves with the next request to the path at the sink. */
  arrival(path: string): Promise<void>;
  person: { email: string; password: string };
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await pause(25);
}

export async function makeProbes({ tenant, url, sink, arrival, person }: ProbeTools): Promise<Probes> {
  const agentId = await makeAgent(tenant, `${sink}/quick`);
  const [endpoint] = await endpointsOf(tenant);
  const number = await tenant.send<{ id: string }>('POST', '/phone-numbers/import', {
    phone: '+12025550199',
    termination_uri: 'sip.example.com',
  });
  const base = await makeBase(tenant);
  await tenant.send('POST', '/rag/document', { kb_id: base, text: 'The walrus sleeps at noon.' });
  const contact = await tenant.send<{ id: string }>('POST', '/contacts', { first_name: 'Ada' });
  let phone = 10_000_000;
  return {
    async webhook() {
      const arrived = arrival('/quick');
      await tenant.send('POST', `/webhooks/endpoints/${endpoint!.id}/test`, {});
      await arrived;
    },
    async dial() {
      const call = await tenant.send<{ call_session_id: string }>('POST', '/calls', {
        agent_id: agentId,
        phone_number_id: number.id,
        to: `+49301${phone++}02`, // rings for 5 s, so that the calls under way stay below the limit of the number
      });
      await until(async () => {
        const { state } = await tenant.send<{ state: string }>('GET', `/calls/${call.call_session_id}`);
        return state !== 'queued' && state !== 'dialing';
      });
    },
    async import() {
      const { doc_id: id } = await tenant.send<{ doc_id: string }>('POST', '/rag/document', {
        kb_id: base,
        text: `A text about ${phone++} things.`,
      });
      await until(async () => {
        const { status } = await tenant.send<{ status: string }>(
          'GET',
          `/rag/document?org_id=${tenant.orgId}&doc_id=${id}`,
        );
        return status === 'complete';
      });
    },
    question: () => tenant.send('POST', `/rag/knowledge-base/${base}/query`, { query: 'When does the walrus sleep?' }),
    get: () => tenant.send('GET', `/contacts/${contact.id}`),
    async 'log-in'() {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(person);
      const response = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', headers, body });
      if (response.status !== 200) throw new Error(`log-in: ${response.status} ${await response.text()}`);
      await response.text();
    },
  };
}
