import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon, type IconName } from '../parts/icon.tsx';
import { useLive } from '../state/live.ts';
import { path } from '../state/location.ts';
import { isNarrow } from '../state/screen.ts';
import { isAdmin } from '../state/session.ts';
import { groups, pages, shell } from '../text/en.ts';
import { number } from '../text/plural.ts';
import { preload } from './routes.ts';
import { ZoneChoice } from './zone-choice.tsx';

export type Destination = { href: string; name: string; icon: IconName; key: string; adminsOnly?: boolean };

const destination = (page: keyof typeof pages & IconName, href: string, key: string): Destination => ({
  href,
  name: pages[page],
  icon: page,
  key,
});

const all: ReadonlyArray<{ name: string; entries: readonly Destination[] }> = [
  {
    name: groups.call,
    entries: [
      destination('overview', '/', 'o'),
      destination('campaigns', '/campaigns', 'm'),
      destination('calls', '/calls', 'c'),
      destination('analytics', '/analytics', 'y'),
    ],
  },
  {
    name: groups.people,
    entries: [destination('contacts', '/contacts', 'p'), destination('doNotCall', '/do-not-call', 'd')],
  },
  {
    name: groups.build,
    entries: [
      destination('agents', '/agents', 'a'),
      destination('knowledge', '/knowledge', 'k'),
      destination('numbers', '/numbers', 'n'),
      destination('calendar', '/calendar', 'l'),
    ],
  },
  {
    name: groups.run,
    entries: [
      destination('deliveries', '/deliveries', 'e'),
      { ...destination('people', '/people', 'u'), adminsOnly: true },
      { ...destination('audit', '/audit', 't'), adminsOnly: true },
      destination('system', '/system', 's'),
    ],
  },
];

const inBar = ['/', '/campaigns', '/calls', '/contacts'];

const isOwn = ({ adminsOnly = false }: Destination): boolean => !adminsOnly || isAdmin.value;

/** The destinations that the person may open. */
export const ownDestinations = (): Destination[] => all.flatMap(({ entries }) => entries).filter(isOwn);

const isCurrent = (href: string): boolean =>
  href === '/' ? path.value === '/' : path.value === href || path.value.startsWith(`${href}/`);

export function Navigation() {
  return isNarrow.value ? <Bar /> : <Side />;
}

function Side() {
  return (
    <nav class="main-nav" aria-label={shell.navigation}>
      <div>
        <Groups />
      </div>
    </nav>
  );
}

/** On a narrow screen: a bar at the bottom, and a sheet with all of it that “Menu” opens. */
function Bar() {
  const isOpen = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => void (isOpen.value = false), [path.value]);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen.value) return;
    isOpen.value = false;
    button.current?.focus();
  };
  return (
    <nav class="main-nav" aria-label={shell.navigation} onKeyDown={onKey}>
      {isOpen.value && (
        <div class="sheet" id={id}>
          <Groups close={() => void (isOpen.value = false)} />
          <ZoneChoice titled />
        </div>
      )}
      <div class="nav-bar">
        <ul inert={isOpen.value} aria-hidden={isOpen.value}>
          {ownDestinations()
            .filter(({ href }) => inBar.includes(href))
            .map((entry) => (
              <Entry key={entry.href} entry={entry} />
            ))}
        </ul>
        <button
          type="button"
          ref={button}
          aria-expanded={isOpen.value}
          aria-controls={isOpen.value ? id : undefined}
          onClick={() => void (isOpen.value = !isOpen.value)}
        >
          <Icon name="menu" />
          {shell.menu}
        </button>
      </div>
    </nav>
  );
}

function Groups({ close }: { close?: () => void }) {
  const id = useId();
  const counts = useCounts();
  return (
    <>
      {all.map(({ name, entries }, index) => (
        <div key={name} role="group" aria-labelledby={`${id}-${index}`}>
          <p id={`${id}-${index}`}>{name}</p>
          <ul>
            {entries.filter(isOwn).map((entry) => (
              <Entry key={entry.href} entry={entry} count={counts[entry.href]} close={close} />
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

type Count = { n: number; isBad?: boolean };

/** What goes on behind a link. */
function useCounts(): Readonly<Record<string, Count | undefined>> {
  const live = useLive<{ in_flight: number; running_campaigns: number; failing_endpoints: number }>('overview');
  if (!live) return {};
  return {
    '/campaigns': { n: live.running_campaigns },
    '/calls': { n: live.in_flight },
    '/deliveries': { n: live.failing_endpoints, isBad: true },
  };
}

type EntryProps = { entry: Destination; count?: Count | undefined; close?: (() => void) | undefined };

function Entry({ entry: { href, name, icon }, count, close }: EntryProps) {
  return (
    <li>
      <a
        href={href}
        aria-current={isCurrent(href) ? 'page' : undefined}
        onPointerEnter={() => preload(href)}
        onFocus={() => preload(href)}
        onClick={close}
      >
        <Icon name={icon} />
        {name}
      </a>
      {count && count.n > 0 && (
        <span class={count.isBad ? 'count bad' : 'count'} aria-hidden="true">
          {number(count.n)}
        </span>
      )}
    </li>
  );
}
