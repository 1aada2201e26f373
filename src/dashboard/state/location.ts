import { batch, computed, signal } from '@preact/signals';

/** Where the person is. Filters and pages of lists are part of it, so a link shows what its sender saw. */

const current = signal(location.pathname + location.search);

const urlOf = (href: string): URL => new URL(href, location.origin);

export const path = computed(() => urlOf(current.value).pathname.replace(/(?<=.)\/$/, ''));
export const query = computed(() => urlOf(current.value).searchParams);

/** Counts visits of another page, so that the shell can move the focus to its heading. Not after a log-in, which is a page's first load. */
export const visits = signal(0);

/** Asked before a page is left; resolves with whether it may be. */
type Guard = () => Promise<boolean>;
const guards = new Set<Guard>();

/** Asks whether unsaved changes may be lost, if there are any. */
export async function mayLeave(): Promise<boolean> {
  for (const guard of guards) if (!(await guard())) return false;
  return true;
}

export function guardLeaving(guard: Guard): () => void {
  guards.add(guard);
  const warn = (event: BeforeUnloadEvent): void => {
    if (!isLoadingAnew) event.preventDefault(); // else the person was asked already
  };
  addEventListener('beforeunload', warn);
  return () => {
    guards.delete(guard);
    removeEventListener('beforeunload', warn);
  };
}

/** On an agent's page one talks to it, and the permission to use the microphone belongs to the document, so the page is loaded. */
const isLoaded = (pathname: string): boolean => /^\/agents\/(?!new\/?$)[^/]+\/?$/.test(pathname);

let isLoadingAnew = false;
// Back may bring this document again as it was.
addEventListener('pageshow', () => void (isLoadingAnew = false));
/** Whether another document comes in place of this one. */
export const isLeaving = (): boolean => isLoadingAnew;

/** Goes to a path of this server. Stays where unsaved changes would be lost and the person wants to keep them. */
export async function navigate(href: string, { replace = false } = {}): Promise<void> {
  const target = urlOf(href);
  const samePage = target.pathname === location.pathname;
  if (!samePage && !(await mayLeave())) return;
  const address = target.pathname + target.search + target.hash;
  if (!samePage && isLoaded(target.pathname)) {
    isLoadingAnew = true;
    return replace ? location.replace(address) : location.assign(address);
  }
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  moved(!samePage, !replace);
}

function moved(toAnotherPage: boolean, isVisit = true): void {
  batch(() => {
    current.value = location.pathname + location.search;
    if (toAnotherPage && isVisit) visits.value++;
  });
  if (toAnotherPage) scrollTo(0, 0);
}

/** Changes some parameters of the query; undefined and '' remove one. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>, { replace = true } = {}): void {
  void navigate(hrefWith(changes), { replace });
}

/** This page's address with some parameters changed. */
export function hrefWith(changes: Readonly<Record<string, string | undefined>>): string {
  const parameters = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') parameters.delete(name);
    else parameters.set(name, value);
  }
  const text = parameters.toString();
  return text === '' ? path.value : `${path.value}?${text}`;
}

/** `next` as the log-in page may follow it: only ever a path of this server. */
export function safeNext(next: string | null): string {
  if (next === null || !next.startsWith('/')) return '/';
  const url = URL.parse(next, location.origin);
  if (url === null || url.origin !== location.origin) return '/';
  const address = url.pathname + url.search;
  return /^\/(?:login|setup)\b/.test(url.pathname) || address.startsWith('//') ? '/' : address;
}

let shownPath = location.pathname;

addEventListener('popstate', () => {
  const target = location.pathname + location.search;
  void follow(target);
});

/** Shows the page that Back or Forward led to, or goes back to the one that must not be left. */
async function follow(target: string): Promise<void> {
  const toAnotherPage = location.pathname !== shownPath;
  if (await mayLeave()) {
    if (!toAnotherPage || !isLoaded(location.pathname)) return moved(toAnotherPage);
    isLoadingAnew = true;
    location.reload();
  } else if (target !== current.value) history.pushState(null, '', current.value);
}

current.subscribe(() => void (shownPath = path.value));

/** Follows links without loading the page anew, as far as nothing but a plain click was meant. */
addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = (event.target as Element | null)?.closest('a');
  if (!link || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.hash !== '' && link.pathname === location.pathname && link.search === location.search) return;
  if (/^\/(?:api|docs|assets)\b|^\/openapi\.json$/.test(link.pathname)) return;
  event.preventDefault();
  void navigate(link.href);
});

/** Rows of a page of a list. */
export const pageSize = 100;
