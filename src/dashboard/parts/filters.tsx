import { useEffect, useId, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { typingPauseMs } from '../state/debounced.ts';
import { query, setQuery } from '../state/location.ts';
import { common } from '../text/en.ts';
import type { Option } from './form.tsx';
import { noSelection } from './selection.tsx';

/** Filters of a list. Each is a parameter of the page's address, and changing one leads to the list's first page. */
export function Filters({ children }: { children: ComponentChildren }) {
  return (
    <form class="filters" role="search" aria-label={common.filters} onSubmit={(event) => event.preventDefault()}>
      {children}
    </form>
  );
}

/** Rows that the filters may hide do not stay selected. */
export const firstPage = { after: undefined, offset: undefined, ...noSelection };

export function SearchFilter({ name, label }: { name: string; label: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const sought = query.value.get(name) ?? '';
  // Back, or a saved view, may have changed the address.
  useEffect(() => {
    if (timer.current === undefined && input.current!.value.trim() !== sought) input.current!.value = sought;
  }, [sought]);
  const onInput = (event: Event): void => {
    const { value } = event.currentTarget as HTMLInputElement;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      setQuery({ [name]: value.trim(), ...firstPage });
    }, typingPauseMs);
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input ref={input} id={id} type="search" dir="auto" defaultValue={sought} onInput={onInput} />
    </div>
  );
}

export function SelectFilter({ name, label, options }: { name: string; label: string; options: readonly Option[] }) {
  const id = useId();
  const chosen = query.value.get(name) ?? '';
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={chosen}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value, ...firstPage }, { replace: false })}
      >
        <option value="">{common.any}</option>
        {options.map(({ value, text }) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
