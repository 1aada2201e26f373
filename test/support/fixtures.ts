import * as parley from '../../clients/typescript/index.ts';
import type { Client, Data } from './server.ts';

let phoneCount = 0;

/** A phone number that is unique in this process; `ending` selects the outcome that the simulated carrier produces. */
export const aPhone = (ending = '00'): string => `+4930${String(1_000_000 + phoneCount++)}${ending}`;

/** The first active model, with one of its voices. */
export async function anActiveModel({ api }: Pick<Client, 'api'>): Promise<{ model: string; voiceId: string }> {
  const { data: models } = await parley.listModelsWithVoices(api);
  const model = models.find(({ isActive }) => isActive)!;
  return { model: model.llmModel, voiceId: model.voices[0]!.id };
}

/** The created resource, typed so that a test can read any field by name. */
const created = <D extends { id: string }>({ data }: { data: D }): Data & D => data;

export const anAgent = async (client: Pick<Client, 'api'>, over: object = {}) =>
  created(
    await parley.createAgent(client.api, { body: { agentName: 'Robin', ...(await anActiveModel(client)), ...over } }),
  );

export const aNumber = async ({ api }: Pick<Client, 'api'>, over: object = {}) =>
  created(
    await parley.importPhoneNumber(api, { body: { phone: aPhone(), termination_uri: 'sip.example.com', ...over } }),
  );

export const aContact = async ({ api }: Pick<Client, 'api'>, over: object = {}) =>
  created(await parley.createContact(api, { body: { phone: aPhone(), ...over } }));

export const aCampaign = async ({ api }: Pick<Client, 'api'>, over: object = {}) =>
  created(await parley.createCampaign(api, { body: { name: 'Spring', ...over } }));
