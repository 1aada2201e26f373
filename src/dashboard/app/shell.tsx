import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { askedToLeave } from '../state/leaving.ts';
import { announcement } from '../state/announce.ts';
import { holdLive, releaseLive } from '../state/live.ts';
import { navigate, path, visits } from '../state/location.ts';
import { expired, session, waitingSec } from '../state/session.ts';
import { Dialog } from '../parts/dialog.tsx';
import { LogInForm } from '../parts/log-in-form.tsx';
import { NotFound, Page, Problem } from '../parts/page.tsx';
import { shell } from '../text/en.ts';
import { login } from '../text/login.ts';
import { Banner } from './banner.tsx';
import { Brand } from './brand.tsx';
import { loadAnew, shownFresh } from './fresh-page.ts';
import { Navigation } from './navigation.tsx';
import { findPage, isPublic, type Matched } from './routes.ts';

/** The frame around every page: navigation, header and messages. */
export function Shell() {
  const user = session.value;
  const isOpen = isPublic(path.value);
  const isWall = path.value === '/live';
  useEffect(() => {
    if (session.value !== null || isPublic(path.value)) return;
    const here = path.value + location.search;
    void navigate(`/login?next=${encodeURIComponent(here)}`, { replace: true });
  }, [user, path.value]);
  return (
    <>
      <a class="skip" href="#content">
        {shell.skip}
      </a>
      {user && !isOpen && !isWall && (
        <>
          <Banner user={user.user} />
          <Navigation />
        </>
      )}
      <main id="content" tabIndex={-1} class={!user || isOpen ? 'alone' : isWall ? 'wall' : undefined}>
        {isOpen && (
          <p class="brand">
            <Brand />
          </p>
        )}
        {(isOpen || user) && <CurrentPage />}
      </main>
      <Patterns />
      <LiveRegion />
      {waitingSec.value !== undefined && <p class="toast warn">{shell.waiting(waitingSec.value)}</p>}
      {askedToLeave.value && <LeaveDialog answer={askedToLeave.value} />}
      {expired.value && user && (
        <Dialog title={login.heading} close={() => undefined} bare>
          <p>{shell.loggedOutNotice}</p>
          <LogInForm email={user.user.email} />
        </Dialog>
      )}
    </>
  );
}

/** Fills of series where colours are forced, and in print. Hidden by size: a pattern in what is not displayed paints nothing. */
function Patterns() {
  const area = (side: number) => ({ width: side, height: side, patternUnits: 'userSpaceOnUse' as const });
  return (
    <svg class="visually-hidden" aria-hidden="true">
      <defs>
        <pattern id="p-hatch" {...area(6)}>
          <path d="M0 6 6 0" stroke-width="1.5" />
        </pattern>
        <pattern id="p-dense" {...area(4)}>
          <path d="M0 1h4" stroke-width="2" />
        </pattern>
        <pattern id="p-upright" {...area(4)}>
          <path d="M1 0v4" stroke-width="1" />
        </pattern>
        <pattern id="p-dots" {...area(5)}>
          <circle cx="2" cy="2" r="1" />
        </pattern>
        <pattern id="p-cross" {...area(6)}>
          <path d="M0 0 6 6M6 0 0 6" />
        </pattern>
      </defs>
    </svg>
  );
}

type Shown = { path: string; page?: Matched | undefined; error?: unknown };

/** The page of the address, once its script has loaded. Until then the page before it stays. */
function CurrentPage() {
  const shown = useSignal<Shown | undefined>(undefined);
  const wanted = path.value;
  useEffect(() => {
    let isCurrent = true;
    if (shown.value?.path !== wanted) holdLive();
    const show = (found: Omit<Shown, 'path'>): void => {
      if (isCurrent) shown.value = { path: wanted, ...found };
    };
    void (async () => {
      try {
        show({ page: await findPage(wanted) });
        shownFresh();
      } catch (error) {
        if (!(await loadAnew(wanted))) show({ error });
      }
    })();
    return () => void (isCurrent = false);
  }, [wanted]);
  useEffect(() => {
    if (shown.value) releaseLive();
  }, [shown.value]);
  useEffect(() => {
    if (visits.value > 0) document.querySelector('h1')?.focus();
    else focusStart();
  }, [shown.value?.path]);
  if (!shown.value) return null;
  const { page, error } = shown.value;
  if (error !== undefined) return <BrokenPage error={error} />;
  if (!page) return <NotFound />;
  return <page.view key={shown.value.path} params={page.params} />;
}

/** After a log-in the next Tab goes to the first link, as on a page that was just loaded. */
function focusStart(): void {
  document.body.tabIndex = -1;
  document.body.focus({ preventScroll: true });
  document.body.removeAttribute('tabindex');
}

/** The script of a page is gone after an update of the server; loading the page anew finds the present one. */
function BrokenPage({ error }: { error: unknown }) {
  return (
    <Page heading={shell.failedPage}>
      <Problem error={error} retry={() => location.reload()} />
    </Page>
  );
}

const shownMs = 6000;

function LiveRegion() {
  const { text, id, isShown } = announcement.value;
  const hidden = useSignal(0);
  useEffect(() => {
    const timer = setTimeout(() => void (hidden.value = id), shownMs);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div role="status" aria-live="polite" class={isShown && hidden.value !== id ? 'toast' : 'visually-hidden'}>
      {text}
    </div>
  );
}

function LeaveDialog({ answer }: { answer: (leave: boolean) => void }) {
  return (
    <Dialog title={shell.unsaved} close={() => answer(false)} bare>
      <p>{shell.unsavedText}</p>
      <div class="buttons">
        <button type="button" data-first-focus onClick={() => answer(false)}>
          {shell.stay}
        </button>
        <button type="button" class="danger" onClick={() => answer(true)}>
          {shell.leave}
        </button>
      </div>
    </Dialog>
  );
}
