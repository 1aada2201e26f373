import type { ComponentChildren } from 'preact';
import { api, listAgents, listCalls, listCampaigns, listPhoneNumbers } from '../../client.ts';
import { isSettled, useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { overview } from '../../text/overview.ts';

const one = { limit: 1 };

async function loadMissing(signal: AbortSignal) {
  const [numbers, agents, calls, campaigns] = await Promise.all([
    listPhoneNumbers(api, { query: one, signal }),
    listAgents(api, { query: one, signal }),
    listCalls(api, { query: one, signal }),
    listCampaigns(api, { query: one, signal }),
  ]);
  const agent = agents.data[0];
  return [
    { step: 'number', href: '/numbers', done: numbers.data.length > 0 },
    { step: 'agent', href: '/agents/new', done: agent !== undefined },
    { step: 'call', href: agent === undefined ? undefined : `/agents/${agent.id}`, done: calls.data.length > 0 },
    { step: 'campaign', href: '/campaigns/new', done: campaigns.data.length > 0 },
  ] as const;
}

/** The first steps of a new organization, shown until all are done. */
export function FirstSteps({ children }: { children: ComponentChildren }) {
  const steps = useResource('steps', loadMissing);
  const missing = (steps.data ?? []).filter(({ done }) => !done);
  if (!isSettled(steps)) return null;
  if (missing.length === 0 || !isMember.value) return <>{children}</>;
  return (
    <>
      <section aria-labelledby="first-steps">
        <h2 id="first-steps">{overview.first}</h2>
        <p class="quiet">{overview.firstText}</p>
        <ol>
          {missing.map(({ step, href }) => {
            const [name, text] = overview.steps[step];
            return (
              <li key={step}>
                {href === undefined ? name : <a href={href}>{name}</a>}
                <p class="quiet">{text}</p>
              </li>
            );
          })}
        </ol>
      </section>
      {children}
    </>
  );
}
