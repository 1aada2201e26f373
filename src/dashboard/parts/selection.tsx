import type { ComponentChildren } from 'preact';
import { query, setQuery } from '../state/location.ts';
import { common } from '../text/en.ts';

/** The selected rows of a list, by their keys. */
export type Selection<R> = {
  selected: ReadonlySet<string>;
  choose(keys: Iterable<string>): void;
  /** The name of a row, for the name of its checkbox. */
  nameOf(row: R): string;
};

const parameter = 'selected';

/** The parameters of the address without the selection, which does not change what is asked for. */
export function withoutSelection(parameters: URLSearchParams): URLSearchParams {
  const others = new URLSearchParams(parameters);
  others.delete(parameter);
  return others;
}

/** The selection is part of the address, so it is there after a refresh. */
export function useSelection<R>(nameOf: (row: R) => string): Selection<R> {
  const selected = new Set((query.value.get(parameter) ?? '').split(',').filter(Boolean));
  return { selected, nameOf, choose: (keys) => setQuery({ [parameter]: [...keys].join(',') }) };
}

const toggled = (selected: ReadonlySet<string>, key: string): Set<string> => {
  const others = new Set(selected);
  if (!others.delete(key)) others.add(key);
  return others;
};

export function SelectRow<R>({ selection, row, id }: { selection: Selection<R>; row: R; id: string }) {
  return (
    <input
      type="checkbox"
      data-select
      aria-label={common.select(selection.nameOf(row))}
      checked={selection.selected.has(id)}
      onChange={() => selection.choose(toggled(selection.selected, id))}
    />
  );
}

export function SelectAll<R>({ selection, keys }: { selection: Selection<R>; keys: readonly string[] }) {
  const all = keys.length > 0 && keys.every((key) => selection.selected.has(key));
  return (
    <input
      type="checkbox"
      aria-label={common.selectPage}
      checked={all}
      disabled={keys.length === 0}
      onChange={() => selection.choose(all ? [] : keys)}
    />
  );
}

/** How many rows are selected, and what can be done with them. */
export function Selected<R>({ selection, children }: { selection: Selection<R>; children: ComponentChildren }) {
  const { size } = selection.selected;
  if (size === 0) return null;
  return (
    <div class="selection" role="group" aria-label={common.selection}>
      <span>{common.selected(size)}</span>
      {children}
      <button type="button" onClick={() => selection.choose([])}>
        {common.clearSelection}
      </button>
    </div>
  );
}
