import { useEffect } from 'preact/hooks';
import type { Agent, Campaign, CampaignPlan } from '../../client.ts';
import { isStopped } from '../../state/calling.ts';
import { serverNow } from '../../state/clock.ts';
import { campaigns } from '../../text/campaigns.ts';

type Missing = { text: string; href: string };
/** `number`: what is wrong with the caller number, as the server says. */
type Facts = { campaign: Campaign; agent: Agent | undefined; number?: NumberFault | undefined };
export type NumberFault = { phoneNumberId: string; code: string };

/** Faults of a caller number that only the server sees. */
const numberFaults: Record<string, string> = {
  number_released: campaigns.missing.released,
  carrier_settings: campaigns.missing.noTrunk,
};

/** What the plan of a draft says of its caller number. */
export function numberFaultOf({ phoneNumberId }: Campaign, { ready }: CampaignPlan): NumberFault | undefined {
  const fault = ready.missing.find(({ code }) => code in numberFaults);
  return fault && phoneNumberId !== null ? { phoneNumberId, code: fault.code } : undefined;
}

/** What a draft needs before it can be started, each with where it is given. */
export function missingOf({ campaign, agent, number }: Facts): Missing[] {
  if (campaign.status !== 'draft') return [];
  const { agentId, phoneNumberId, contactStats, schedule } = campaign;
  const path = `/campaigns/${campaign.id}`;
  const field = (name: string): string => `${path}?tab=settings#${name}`;
  const now = serverNow();
  const isOver = schedule.end !== null && now !== undefined && Date.parse(schedule.end) <= now;
  const texts = campaigns.missing;
  return [
    ...(agentId === null ? [{ text: texts.agent, href: field('agentId') }] : []),
    ...(agent?.status === 'INACTIVE'
      ? [{ text: texts.inactive(agent.agentName), href: `/agents/${agent.id}?tab=settings` }]
      : []),
    ...(phoneNumberId === null ? [{ text: texts.number, href: field('phoneNumberId') }] : []),
    ...(number && number.phoneNumberId === phoneNumberId
      ? [
          {
            text: numberFaults[number.code]!,
            href: number.code === 'carrier_settings' ? '/numbers' : field('phoneNumberId'),
          },
        ]
      : []),
    ...(isOver ? [{ text: texts.over, href: field('schedule.end') }] : []),
    ...(contactStats.total === 0 ? [{ text: texts.contacts, href: `${path}?tab=contacts` }] : []),
    ...(isStopped.value === true ? [{ text: texts.stopped, href: path }] : []),
  ];
}

/** Stands in place of “Start”. */
export function BeforeStart({ missing }: { missing: readonly Missing[] }) {
  if (missing.length === 0) return null;
  return (
    <section aria-labelledby="before-start">
      <h2 id="before-start">{campaigns.missing.heading}</h2>
      <ul aria-labelledby="before-start">
        {missing.map(({ text, href }) => (
          <li key={text}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Puts the focus on the field that the address names, once the form is shown. */
export function useFieldOfAddress(): void {
  useEffect(() => {
    if (location.hash === '') return;
    const name = decodeURIComponent(location.hash.slice(1));
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus());
  }, []);
}
