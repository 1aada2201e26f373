import * as parley from '../../clients/typescript/index.ts';
import type { Client, Data } from './server.ts';

let made = 0;

/** A telephone number that no other call of this process gets; `ending` chooses what the simulated carrier makes of it. */
export const aPhone = (ending = '00'): string => `+4930${String(1_000_000 + made++)}${ending}`;

/** The first model on offer, with one of its voices. */
export async function anActiveModel({ api }: Client): Promise<{ model: string; voiceId: string }> {
  const { data: models } = await parley.listModelsWithVoices(api);
  const model = models.find(({ isActive }) => isActive)!;
  return { model: model.llmModel, voiceId: model.voices[0]!.id };
}

/** Of what is made, a test may look at any field by name. */
const shown = <D extends { id: string }>({ data }: { data: D }): Data & D => data;

export const anAgent = async (client: Client, over: object = {}) =>
  shown(
    await parley.createAgent(client.api, { body: { agentName: 'Robin', ...(await anActiveModel(client)), ...over } }),
  );

export const aNumber = async ({ api }: Client, over: object = {}) =>
  shown(
    await parley.importPhoneNumber(api, { body: { phone: aPhone(), termination_uri: 'sip.example.com', ...over } }),
  );

export const aContact = async ({ api }: Client, over: object = {}) =>
  shown(await parley.createContact(api, { body: { phone: aPhone(), ...over } }));

export const aCampaign = async ({ api }: Client, over: object = {}) =>
  shown(await parley.createCampaign(api, { body: { name: 'Spring', ...over } }));
