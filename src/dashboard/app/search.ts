import { api, search } from '../client.ts';
import type { IconName } from '../parts/icon.tsx';

export type Choice = { href: string; title: string; icon: IconName; subtitle?: string | undefined; key?: string };

const pageOf = {
  agent: 'agents',
  campaign: 'campaigns',
  contact: 'contacts',
  call: 'calls',
  number: 'numbers',
  knowledge_base: 'knowledge',
} as const;

/** Things whose name or number has this text; undefined when the search was given up or failed. */
export async function searchThings(q: string, signal: AbortSignal): Promise<Choice[] | undefined> {
  try {
    const { data } = await search(api, { query: { q }, signal });
    return data.map(({ kind, id, title, subtitle }) => ({
      href: kind === 'number' ? '/numbers' : `/${pageOf[kind]}/${id}`,
      title,
      icon: pageOf[kind],
      subtitle: subtitle ?? undefined,
    }));
  } catch {
    return undefined;
  }
}
