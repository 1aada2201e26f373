import { api, type Campaign, listCampaigns, newIdempotencyKey, search, updateCampaign } from '../client.ts';
import type { IconName } from '../parts/icon.tsx';
import { valueText } from '../parts/status.tsx';
import { announce } from '../state/announce.ts';
import { isStopped, resumeAll } from '../state/calling.ts';
import { navigate } from '../state/location.ts';
import { isMember } from '../state/session.ts';
import { calling } from '../text/calling.ts';

/** Something that the palette finds: it leads to a page, or does something at once. */
export type Choice = {
  id: string;
  title: string;
  icon: IconName;
  subtitle?: string | undefined;
  /** When it was. */
  at?: string | undefined;
  /** After `g`. */
  key?: string;
  choose(): Promise<unknown> | void;
};

const pageOf = {
  agent: 'agents',
  campaign: 'campaigns',
  contact: 'contacts',
  call: 'calls',
  number: 'numbers',
  knowledge_base: 'knowledge',
} as const;

const isInstant = (part: string): boolean => /^\d{4}-\d\d-\d\dT/.test(part);

/** The parts of a subtitle: values of the interface in words, and an instant apart. */
function factsIn(subtitle: string): Pick<Choice, 'subtitle' | 'at'> {
  const parts = subtitle.split(' · ');
  const words = parts.filter((part) => !isInstant(part)).map(valueText);
  return { subtitle: words.join(' · '), at: parts.find(isInstant) };
}

/**
 * Things whose name or number has this text.
 * @throws as the client
 */
export async function searchThings(q: string, signal: AbortSignal): Promise<Choice[]> {
  const { data } = await search(api, { query: { q }, signal });
  return data.map(({ kind, id, title, subtitle }) => ({
    id: `${kind} ${id}`,
    title,
    icon: pageOf[kind],
    ...(kind === 'call' || kind === 'campaign' ? factsIn(subtitle ?? '') : { subtitle: subtitle ?? undefined }),
    choose: () => navigate(kind === 'number' ? '/numbers' : `/${pageOf[kind]}/${id}`),
  }));
}

/** What a member may do from anywhere. `stop` asks before it does. */
export function callingChoice(stop: () => void): Choice[] {
  if (!isMember.value) return [];
  return isStopped.value === true
    ? [{ id: 'resume', title: calling.resume, icon: 'go', choose: () => resumeAll(newIdempotencyKey()) }]
    : [{ id: 'stop', title: calling.stop, icon: 'stop', choose: stop }];
}

const maxCampaigns = 20;
const statuses = ['active', 'paused'] as const;
const textOf = { active: calling.pause, paused: calling.resumeOne };
const verbs = statuses.map((status) => ({ status, verb: textOf[status]('').trim().toLowerCase() }));

const typedVerb = (wanted: string): string | undefined => verbs.find(({ verb }) => wanted.startsWith(`${verb} `))?.verb;

/** Whether a text says what is to be done, as in “pause spring”. */
export const namesAction = (wanted: string): boolean => typedVerb(wanted) !== undefined;

/** Campaigns of a status whose name has this text; any, if it is empty. */
type Wish = { status: (typeof statuses)[number]; q: string };

/** The campaigns that a text may mean: “spr” and “pause spr” those with “spr” in their names, “res” also those that can be resumed. */
function wishesOf(wanted: string): Wish[] {
  const q = wanted.slice(typedVerb(wanted)?.length ?? 0).trim();
  const begun = verbs.filter(({ verb }) => verb.startsWith(wanted));
  return [...statuses.map((status) => ({ status, q })), ...begun.map(({ status }) => ({ status, q: '' }))];
}

/**
 * Pausing each campaign that runs, and going on with each that is paused, unless all calling is stopped. The server searches their names.
 * @throws as the client
 */
export async function searchCampaignActions(wanted: string, signal: AbortSignal): Promise<Choice[]> {
  if (!isMember.value) return [];
  const mayCall = isStopped.value !== true;
  const lists = await Promise.all(
    wishesOf(wanted)
      .filter(({ status }) => status === 'active' || mayCall)
      .map(({ status, q }) =>
        listCampaigns(api, { query: { status, limit: maxCampaigns, ...(q === '' ? {} : { q }) }, signal }),
      ),
  );
  const found = new Map(lists.flatMap(({ data }) => data).map((campaign) => [campaign.id, campaign]));
  const verb = typedVerb(wanted) ?? '';
  return [...found.values()]
    .filter(({ executionStatus }) => executionStatus === 'running' || mayCall)
    .map(actionOn)
    .filter(({ title }) => title.toLowerCase().startsWith(verb));
}

function actionOn({ id, name, version, executionStatus }: Campaign): Choice {
  const runs = executionStatus === 'running';
  return {
    id: `state ${id}`,
    title: runs ? calling.pause(name) : calling.resumeOne(name),
    icon: 'campaigns',
    async choose() {
      // Calls can be stopped whatever others have changed; resuming what somebody has completed would call people again.
      const basedOn = runs ? {} : { ifMatch: version };
      await updateCampaign(api, { params: { id }, body: { status: runs ? 'paused' : 'active' }, ...basedOn });
      announce(runs ? calling.paused(name) : calling.resumedOne(name));
    },
  };
}
