import { type Client, type Data, dataOf } from './server.ts';

let made = 0;

/** A telephone number that no other call of this process gets; `ending` chooses what the simulated carrier makes of it. */
export const aPhone = (ending = '00'): string => `+4930${String(1_000_000 + made++)}${ending}`;

/** The first model on offer, with one of its voices. */
export async function anActiveModel(client: Client): Promise<{ model: string; voiceId: string }> {
  type Model = { llmModel: string; isActive: boolean; voices: Array<{ id: string }> };
  const models = dataOf(await client.get<Model[]>('/available-llm-models/with-voices'));
  const model = models.find(({ isActive }) => isActive)!;
  return { model: model.llmModel, voiceId: model.voices[0]!.id };
}

export const anAgent = async (client: Client, over: object = {}): Promise<Data> =>
  dataOf(await client.post('/agents/', { agentName: 'Robin', ...(await anActiveModel(client)), ...over }));

export const aNumber = async (client: Client, over: object = {}): Promise<Data & { phone: string }> =>
  dataOf(
    await client.post<Data & { phone: string }>('/phone-numbers/import', {
      phone: aPhone(),
      termination_uri: 'sip.example.com',
      ...over,
    }),
  );

export const aContact = async (client: Client, over: object = {}): Promise<Data> =>
  dataOf(await client.post('/contacts/', { phone: aPhone(), ...over }));

export const aCampaign = async (client: Client, over: object = {}): Promise<Data> =>
  dataOf(await client.post('/campaigns/', { name: 'Spring', ...over }));
