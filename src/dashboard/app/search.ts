import { api, type Campaign, listCampaigns, newIdempotencyKey, search, updateCampaign } from '../client.ts';
import type { IconName } from '../parts/icon.tsx';
import { valueText } from '../parts/status.tsx';
import { textIn } from '../parts/time.tsx';
import { announce } from '../state/announce.ts';
import { isStopped, resumeAll } from '../state/calling.ts';
import { navigate } from '../state/location.ts';
import { zone } from '../state/preferences.ts';
import { isMember } from '../state/session.ts';
import { calling } from '../text/calling.ts';

/** Something that the palette finds: it leads to a page, or does something at once. */
export type Choice = {
  id: string;
  title: string;
  icon: IconName;
  subtitle?: string | undefined;
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

/** The parts of a call's subtitle in words: outcome, and the instant in the zone that is shown. */
const callText = (subtitle: string): string =>
  subtitle
    .split(' · ')
    .map((part) => (/^\d{4}-\d\d-\d\dT/.test(part) ? textIn(part, zone.value) : valueText(part)))
    .join(' · ');

/** Things whose name or number has this text; undefined when the search was given up or failed. */
export async function searchThings(q: string, signal: AbortSignal): Promise<Choice[] | undefined> {
  try {
    const { data } = await search(api, { query: { q }, signal });
    return data.map(({ kind, id, title, subtitle }) => ({
      id: `${kind} ${id}`,
      title,
      icon: pageOf[kind],
      subtitle: kind === 'call' ? callText(subtitle ?? '') : (subtitle ?? undefined),
      choose: () => navigate(kind === 'number' ? '/numbers' : `/${pageOf[kind]}/${id}`),
    }));
  } catch {
    return undefined;
  }
}

/** What a member may do from anywhere. `stop` asks before it does. */
export function callingChoice(stop: () => void): Choice[] {
  if (!isMember.value) return [];
  return isStopped.value === true
    ? [{ id: 'resume', title: calling.resume, icon: 'go', choose: () => resumeAll(newIdempotencyKey()) }]
    : [{ id: 'stop', title: calling.stop, icon: 'stop', choose: stop }];
}

const maxCampaigns = 20;
const verbs = [calling.pause(''), calling.resumeOne('')].map((text) => text.trim().toLowerCase());

/** The part of a campaign's name to search for: “spr” for both “pause spr” and “spr”. Empty for the beginning of a verb such as “pau”: any name. */
function nameIn(wanted: string): string {
  if (verbs.some((verb) => verb.startsWith(wanted))) return '';
  const verb = verbs.find((each) => wanted.startsWith(`${each} `));
  return verb === undefined ? wanted : wanted.slice(verb.length).trim();
}

/**
 * Pausing each campaign that runs, and going on with each that is paused, unless all calling is stopped. The server searches their names;
 * undefined when the search was given up or failed.
 */
export async function searchCampaignActions(wanted: string, signal: AbortSignal): Promise<Choice[] | undefined> {
  if (!isMember.value) return [];
  const q = nameIn(wanted);
  const ofStatus = (status: 'active' | 'paused') =>
    listCampaigns(api, { query: { status, limit: maxCampaigns, ...(q === '' ? {} : { q }) }, signal });
  try {
    const lists = await Promise.all([ofStatus('active'), ...(isStopped.value === true ? [] : [ofStatus('paused')])]);
    const choices = lists
      .flatMap(({ data }) => data)
      .filter(({ executionStatus }) => executionStatus === 'running' || isStopped.value !== true)
      .map(actionOn);
    const verb = verbs.find((each) => wanted.startsWith(each) || each.startsWith(wanted));
    return choices.filter(({ title }) => verb === undefined || title.toLowerCase().startsWith(verb));
  } catch {
    return undefined;
  }
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
