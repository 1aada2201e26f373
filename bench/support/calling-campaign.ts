import type { Served } from './serve.ts';

/** Sends a request with the server's first key, and returns the `data` of the answer. */
export async function send<T>(
  { url, apiKey }: Pick<Served, 'url' | 'apiKey'>,
  method: string,
  path: string,
  body: unknown,
): Promise<T> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return (JSON.parse(text) as { data: T }).data;
}

/** Keys of viewers. */
export const viewerKeys = (server: Served, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const made = { name: `Key ${index}`, role: 'viewer' };
      return (await send<{ api_key: string }>(server, 'POST', '/api-keys', made)).api_key;
    }),
  );

/** Starts a campaign that calls 5,000 contacts, `maxCps` a second, and returns its id. */
export async function startCampaign(server: Pick<Served, 'url' | 'apiKey'>, maxCps = 10): Promise<string> {
  const { url, apiKey } = server;
  const models = await fetch(`${url}/api/v1/available-llm-models/with-voices`, { headers: { 'x-api-key': apiKey } });
  const { data } = (await models.json()) as { data: Array<{ llmModel: string; voices: Array<{ id: string }> }> };
  const { llmModel: model, voices } = data[0]!;
  const agent = { agentName: 'Robin', model, voiceId: voices[0]!.id };
  const { id: agentId } = await send<{ id: string }>(server, 'POST', '/agents', agent);
  const number = { phone: '+4930901820', termination_uri: 'sip.example.com' };
  const { id: phoneNumberId } = await send<{ id: string }>(server, 'POST', '/phone-numbers/import', number);
  await send(server, 'PATCH', `/phone-numbers/${phoneNumberId}`, { max_cps: maxCps, max_concurrent: 1000 });
  const fields = { name: 'Bench', agentId, phoneNumberId, schedule: { maxConcurrent: 1000 }, maxCps };
  const { id } = await send<{ id: string }>(server, 'POST', '/campaigns', fields);
  const contacts = Array.from({ length: 5000 }, (_, index) => ({ phone: `+4930${String(1_000_000 + index)}50` }));
  await send(server, 'POST', `/campaigns/${id}/contacts`, { contacts });
  await send(server, 'PATCH', `/campaigns/${id}`, { status: 'active' });
  return id;
}
