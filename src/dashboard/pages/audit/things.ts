import {
  api,
  listAgents,
  listApiKeys,
  listKnowledgeBases,
  listPhoneNumbers,
  listUsers,
  listWebhookEndpoints,
} from '../../client.ts';
import { allCampaigns } from '../../parts/few/all-campaigns.ts';
import type { Option } from '../../parts/form.tsx';
import { session } from '../../state/session.ts';

const maxPage = { limit: 500 };

/** The things of a kind of which an organization has few. */
const loaders: Readonly<Record<string, (signal: AbortSignal) => Promise<Option[]>>> = {
  agent: async (signal) =>
    (await listAgents(api, { query: maxPage, signal })).data.map(({ id, agentName }) => optionOf(id, agentName)),
  campaign: async (signal) => (await allCampaigns(signal)).map(({ id, name }) => optionOf(id, name)),
  number: async (signal) =>
    (await listPhoneNumbers(api, { query: maxPage, signal })).data.map(({ id, phone }) => optionOf(id, phone)),
  knowledge_base: async (signal) =>
    (await listKnowledgeBases(api, { query: { org_id: session.value!.organization.id }, signal })).data.map(
      ({ id, name }) => optionOf(id, name),
    ),
  user: async (signal) => (await listUsers(api, { signal })).data.map(({ id, email }) => optionOf(id, email)),
  api_key: async (signal) => (await listApiKeys(api, { signal })).data.map(({ id, name }) => optionOf(id, name)),
  webhook_endpoint: async (signal) =>
    (await listWebhookEndpoints(api, { query: maxPage, signal })).data.map(({ id, url }) => optionOf(id, url)),
};

const optionOf = (value: string, text: string): Option => ({ value, text });

export const isNamedKind = (kind: string): boolean => kind in loaders;

export const loadThings = async (kind: string, signal: AbortSignal): Promise<Option[]> =>
  (await loaders[kind]?.(signal)) ?? [];
