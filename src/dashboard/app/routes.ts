// Part of the first load: it is the first page of most visits.
import * as loginGroup from '../pages/login/index.tsx';
import type { Pages, Params, View } from '../state/pages.ts';

/** Groups of pages by the first segment of their paths. Each is a bundle of its own, loaded when one of its pages is wanted. */
const groups: Readonly<Record<string, () => Promise<{ pages: Pages }>>> = {
  deliveries: () => import('../pages/deliveries/index.tsx'),
  knowledge: () => import('../pages/knowledge/index.tsx'),
  overview: () => import('../pages/overview/index.tsx'),
  calendar: () => import('../pages/calendar/index.tsx'),
  audit: () => import('../pages/audit/index.tsx'),
  people: () => import('../pages/people/index.tsx'),
  system: () => import('../pages/system/index.tsx'),
  'do-not-call': () => import('../pages/do-not-call/index.tsx'),
  login: () => Promise.resolve(loginGroup),
  setup: () => Promise.resolve(loginGroup),
  analytics: () => import('../pages/analytics/index.tsx'),
  live: () => import('../pages/live/index.tsx'),
  account: () => import('../pages/account/index.tsx'),
  agents: () => import('../pages/agents/index.tsx'),
  numbers: () => import('../pages/numbers/index.tsx'),
  calls: () => import('../pages/calls/index.tsx'),
  campaigns: () => import('../pages/campaigns/index.tsx'),
  contacts: () => import('../pages/contacts/index.tsx'),
};

const groupOf = (path: string): string => path.split('/')[1] || 'overview';

/** Pages that are shown without a session. */
export const isPublic = (path: string): boolean => path === '/login' || path === '/setup';

/** Loads the script of a path's page, for example while its link is pointed at. */
export function preload(path: string): void {
  const load = Object.hasOwn(groups, groupOf(path)) ? groups[groupOf(path)] : undefined;
  load?.().catch(() => undefined); // the page says so when it is opened
}

export type Matched = { view: View; params: Params };

/** The page of a path; undefined if there is none. */
export async function findPage(path: string): Promise<Matched | undefined> {
  if (!Object.hasOwn(groups, groupOf(path))) return undefined;
  const { pages } = await groups[groupOf(path)]!();
  // A literal path such as /agents/new comes before /agents/:id.
  const patterns = Object.keys(pages).toSorted((a, b) => a.split(':').length - b.split(':').length);
  for (const pattern of patterns) {
    const params = match(pattern, path);
    if (params) return { view: pages[pattern]!, params };
  }
  return undefined;
}

function match(pattern: string, path: string): Params | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    if (part.startsWith(':')) params[part.slice(1)] = decoded(given[index]!);
    else if (part !== given[index]) return undefined;
  }
  return params;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
