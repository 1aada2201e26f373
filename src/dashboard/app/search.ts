import { api, search } from '../client.ts';

export type Choice = { href: string; title: string; subtitle?: string | undefined };

const pageOf = {
  agent: 'agents',
  campaign: 'campaigns',
  contact: 'contacts',
  call: 'calls',
  knowledge_base: 'knowledge',
};

/** Things whose name or number has this text; undefined when the search was given up or failed. */
export async function searchThings(q: string, signal: AbortSignal): Promise<Choice[] | undefined> {
  try {
    const { data } = await search(api, { query: { q }, signal });
    return data.map(({ kind, id, title, subtitle }) => ({
      href: kind === 'number' ? '/numbers' : `/${pageOf[kind]}/${id}`,
      title,
      subtitle: subtitle ?? undefined,
    }));
  } catch {
    return undefined;
  }
}
