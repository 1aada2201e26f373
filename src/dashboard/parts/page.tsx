import { campaignZone } from '../state/preferences.ts';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { isNotFound, ParleyError } from '../client.ts';
import { messageOf } from '../state/form.ts';
import type { Resource } from '../state/resource.ts';
import { common, shell } from '../text/en.ts';

type PageProps = {
  heading: string;
  /** The list that the thing belongs to. */
  crumb?: { href: string; name: string };
  /** Its state, beside the heading. */
  state?: ComponentChildren;
  /** A line under the heading. */
  about?: ComponentChildren;
  /** Links and buttons beside the heading. */
  actions?: ComponentChildren;
  /** The zone of the campaign that the page shows, offered by “Times in”. */
  zone?: string | undefined;
  children?: ComponentChildren;
};

/** A page's frame: its heading, which is also the title of the tab. */
export function Page({ heading, crumb, state, about, actions, zone, children }: PageProps) {
  useEffect(() => {
    document.title = shell.titleOf(heading);
  }, [heading]);
  useEffect(() => {
    campaignZone.value = zone;
    return () => void (campaignZone.value = undefined);
  }, [zone]);
  return (
    <>
      <div class="page-head">
        <div class="say">
          {crumb && (
            <p class="crumb">
              <a href={crumb.href}>{crumb.name}</a> /
            </p>
          )}
          <div class="h1line">
            <h1 tabIndex={-1} dir="auto">
              {heading}
            </h1>
            {state}
          </div>
          {about && <p class="quiet">{about}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </>
  );
}

export function NotFound() {
  return (
    <Page heading={common.notFound}>
      <p>{common.notFoundText}</p>
      <p>
        <a href="/">{common.toOverview}</a>
      </p>
    </Page>
  );
}

/** Why something could not be loaded, with a button that tries again. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div class="notice bad" role="alert">
      <p>{messageOf(error)}</p>
      {error instanceof ParleyError && error.requestId !== '' && (
        <p class="quiet">{common.requestId(error.requestId)}</p>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          {common.retry}
        </button>
      )}
    </div>
  );
}

type LoadedProps<T> = { of: Resource<T>; heading?: string; children: (data: T) => ComponentChildren };

/** Shows a resource once it has loaded; until then that it is loading, or why it could not be. */
export function Loaded<T>({ of: resource, heading, children }: LoadedProps<T>) {
  const { data, error, reload } = resource;
  if (isNotFound(error)) return <NotFound />;
  const content = data === undefined ? null : children(data);
  if (error !== undefined) {
    const problem = <Problem error={error} retry={reload} />;
    if (content !== null || heading === undefined)
      return (
        <>
          {problem}
          {content}
        </>
      );
    return <Page heading={heading}>{problem}</Page>;
  }
  if (data !== undefined) return <>{content}</>;
  return heading === undefined ? (
    <p class="quiet loading">{shell.loading}</p>
  ) : (
    <Page heading={heading}>
      <p class="quiet loading">{shell.loading}</p>
    </Page>
  );
}

/** The error of a button's request. */
export function ActionProblem({ of: { problem } }: { of: { problem: string | undefined } }) {
  if (problem === undefined) return null;
  return (
    <div class="notice bad" role="alert">
      <p>{problem}</p>
    </div>
  );
}
