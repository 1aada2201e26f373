import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { mayLeave, navigate, path, query } from '../state/location.ts';

type TabsProps<T extends string> = {
  label: string;
  tabs: ReadonlyArray<{ id: T; name: string }>;
  chosen: T;
  choose(id: T): void;
  /** The content of the chosen tab. */
  children: ComponentChildren;
};

/** Tabs with the keys of the pattern: arrows, Home and End choose, Tab leads into the content. */
export function Tabs<T extends string>({ label, tabs, chosen, choose, children }: TabsProps<T>) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  // On a phone there is not room for all of them.
  useLayoutEffect(() => {
    const list = root.current!;
    const tab = list.querySelector<HTMLElement>('[aria-selected=true]');
    if (tab) list.scrollLeft = tab.offsetLeft - list.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
  }, [chosen]);
  const onKey = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.id === chosen);
    const target = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const index = target % tabs.length;
    choose(tabs[index]!.id);
    root.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} class="tabs" ref={root} onKeyDown={onKey}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === chosen ? 0 : -1}
            onClick={() => choose(tab.id)}
          >
            {tab.name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}

type PageTabsProps<T extends string> = {
  label: string;
  tabs: ReadonlyArray<{ id: T; name: string; show(): ComponentChildren }>;
  /** What is typed on a tab is kept while another one is shown; otherwise leaving it with unsaved changes asks. */
  keeps?: boolean;
};

/** The parts of a page; which one is shown is in the address, as `?tab=`. The first one needs no mention. */
export function PageTabs<T extends string>({ label, tabs, keeps = false }: PageTabsProps<T>) {
  const [first] = tabs;
  const chosen = tabs.find(({ id }) => id === query.value.get('tab')) ?? first!;
  const choose = async (id: T): Promise<void> => {
    if (keeps || (await mayLeave())) await navigate(hrefOfTab(id === first!.id ? undefined : id));
  };
  return (
    <Tabs label={label} tabs={tabs} chosen={chosen.id} choose={(id) => void choose(id)}>
      {chosen.show()}
    </Tabs>
  );
}

/** This page with another tab; what filters the present one does not concern it. */
export const hrefOfTab = (id: string | undefined): string =>
  id === undefined ? path.value : `${path.value}?tab=${id}`;
