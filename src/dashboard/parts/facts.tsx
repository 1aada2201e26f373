import type { ComponentChildren } from 'preact';
import { InSeconds } from './time.tsx';

/** A description list of the facts of one thing; those without a value are left out. */
export function Facts({ facts }: { facts: ReadonlyArray<readonly [string, ComponentChildren]> }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">
              <InSeconds.Provider value>{value}</InSeconds.Provider>
            </dd>
          </div>
        ))}
    </dl>
  );
}
