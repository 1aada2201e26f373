import { overview } from '../../text/overview.ts';
import type { Loading } from './load.ts';

type Props = { done: NonNullable<Loading['firstSteps']>; hasCalled: boolean };

/** The first steps of a new organization; each goes once it is done. */
export function FirstSteps({ done, hasCalled }: Props) {
  const steps = [
    { step: 'number', href: '/numbers', isDone: done.number },
    { step: 'agent', href: '/agents/new', isDone: done.agent !== undefined },
    { step: 'call', href: done.agent === undefined ? undefined : `/agents/${done.agent}`, isDone: hasCalled },
    { step: 'campaign', href: '/campaigns/new', isDone: false },
  ] as const;
  return (
    <section aria-labelledby="first-steps">
      <h2 id="first-steps">{overview.first}</h2>
      <p class="quiet">{overview.firstText}</p>
      <ol class="stack tight">
        {steps
          .filter(({ isDone }) => !isDone)
          .map(({ step, href }) => {
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
  );
}
