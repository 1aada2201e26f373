import { useLayoutEffect, useRef } from 'preact/hooks';
import { path } from '../state/location.ts';
import { isAdmin } from '../state/session.ts';
import { pages, shell } from '../text/en.ts';
import { preload } from './routes.ts';

export type Destination = { href: string; name: string; adminsOnly?: boolean };

const destinations: readonly Destination[] = [
  { href: '/', name: pages.overview },
  { href: '/campaigns', name: pages.campaigns },
  { href: '/calls', name: pages.calls },
  { href: '/contacts', name: pages.contacts },
  { href: '/agents', name: pages.agents },
  { href: '/knowledge', name: pages.knowledge },
  { href: '/numbers', name: pages.numbers },
  { href: '/calendar', name: pages.calendar },
  { href: '/deliveries', name: pages.deliveries },
  { href: '/do-not-call', name: pages.doNotCall },
  { href: '/people', name: pages.people, adminsOnly: true },
  { href: '/audit', name: pages.audit, adminsOnly: true },
  { href: '/system', name: pages.system },
];

/** The destinations that the person may open. */
export const ownDestinations = (): Destination[] =>
  destinations.filter(({ adminsOnly = false }) => !adminsOnly || isAdmin.value);

const isCurrent = (href: string): boolean =>
  href === '/' ? path.value === '/' : path.value === href || path.value.startsWith(`${href}/`);

export function Navigation() {
  const list = useRef<HTMLUListElement>(null);
  // On a narrow screen the links are one line that scrolls sideways.
  useLayoutEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (current) list.current!.scrollLeft = current.offsetLeft - (list.current!.clientWidth - current.offsetWidth) / 2;
  }, [path.value]);
  return (
    <nav class="main-nav" aria-label={shell.navigation}>
      <ul ref={list}>
        {ownDestinations().map(({ href, name }) => (
          <li key={href}>
            <a
              href={href}
              aria-current={isCurrent(href) ? 'page' : undefined}
              onPointerEnter={() => preload(href)}
              onFocus={() => preload(href)}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
