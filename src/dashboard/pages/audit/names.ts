import {
  api,
  listAgents,
  listApiKeys,
  listCampaigns,
  listKnowledgeBases,
  listPhoneNumbers,
  listUsers,
} from '../../client.ts';
import type { Option } from '../../parts/form.tsx';
import { session } from '../../state/session.ts';
import { audit } from '../../text/audit.ts';

/** Names of things by their ids, and who can have acted. */
export type Names = { things: ReadonlyMap<string, string>; actors: readonly Option[] };

export const noNames: Names = { things: new Map(), actors: [] };

const maxPage = { limit: 500 };

/** The names of what an organization has few of. Of contacts and calls there are too many. */
export async function loadNames(signal: AbortSignal): Promise<Names> {
  const [users, keys, agents, campaigns, numbers, bases] = await Promise.all([
    listUsers(api, { signal }),
    listApiKeys(api, { signal }),
    listAgents(api, { query: maxPage, signal }),
    listCampaigns(api, { query: maxPage, signal }),
    listPhoneNumbers(api, { query: maxPage, signal }),
    listKnowledgeBases(api, { query: { org_id: session.value!.organization.id }, signal }),
  ]);
  const people = users.data.map(({ id, email }) => [id, email] as const);
  const named = keys.data.map(({ id, name }) => [id, name] as const);
  return {
    things: new Map([
      ...people,
      ...named,
      ...agents.data.map(({ id, agentName }) => [id, agentName] as const),
      ...campaigns.data.map(({ id, name }) => [id, name] as const),
      ...numbers.data.map(({ id, phone }) => [id, phone] as const),
      ...bases.data.map(({ id, name }) => [id, name] as const),
    ]),
    actors: [
      ...people.map(([value, text]) => ({ value, text })),
      ...named.map(([value, name]) => ({ value, text: audit.key(name) })),
    ],
  };
}
