import type { ComponentChildren } from 'preact';
import { query, setQuery } from '../state/location.ts';
import { common } from '../text/en.ts';

/** The selected rows of a list, by their keys. */
export type Selection<R> = {
  selected: ReadonlySet<string>;
  /** Everything that the filters find is selected, on all pages. Then `selected` is empty. */
  isAll: boolean;
  choose(keys: Iterable<string>): void;
  chooseAll(): void;
  /** The name of a row, for the name of its checkbox. */
  nameOf(row: R): string;
};

const parameter = 'selected';
/** The parameter's value in place of keys; no key is spelled like this. */
const all = 'all';

/** Changes of the address that end the selection. */
export const noSelection = { [parameter]: undefined };

/** The parameters of the address without the selection, which does not change what is asked for. */
export function withoutSelection(parameters: URLSearchParams): URLSearchParams {
  const others = new URLSearchParams(parameters);
  others.delete(parameter);
  return others;
}

/** The selection is part of the address, so it is there after a refresh. */
export function useSelection<R>(nameOf: (row: R) => string): Selection<R> {
  const value = query.value.get(parameter) ?? '';
  const isAll = value === all;
  return {
    selected: new Set(isAll ? [] : value.split(',').filter(Boolean)),
    isAll,
    nameOf,
    choose: (keys) => setQuery({ [parameter]: [...keys].join(',') }),
    chooseAll: () => setQuery({ [parameter]: all }),
  };
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
      checked={selection.isAll || selection.selected.has(id)}
      disabled={selection.isAll}
      onChange={() => selection.choose(toggled(selection.selected, id))}
    />
  );
}

export function SelectAll<R>({ selection, keys }: { selection: Selection<R>; keys: readonly string[] }) {
  const isChecked = selection.isAll || (keys.length > 0 && keys.every((key) => selection.selected.has(key)));
  return (
    <input
      type="checkbox"
      aria-label={common.selectPage}
      checked={isChecked}
      disabled={keys.length === 0}
      onChange={() => selection.choose(isChecked ? [] : keys)}
    />
  );
}

type SelectedProps<R> = {
  selection: Selection<R>;
  /** How many the filters find, where all of them can be selected; undefined as long as it is not known. */
  all?: { matching: number | undefined };
  children?: ComponentChildren;
};

/** How many rows are selected, and what can be done with them. */
export function Selected<R>({ selection, all: whole, children }: SelectedProps<R>) {
  const { selected, isAll, choose, chooseAll } = selection;
  if (selected.size === 0 && !(isAll && whole)) return null;
  return (
    <div class="selection" role="group" aria-label={common.selection}>
      <span>{isAll ? common.allSelected(whole?.matching) : common.selected(selected.size)}</span>
      {children}
      {whole && !isAll && (
        <button type="button" onClick={chooseAll}>
          {common.selectAll(whole.matching)}
        </button>
      )}
      <button type="button" onClick={() => choose([])}>
        {common.clearSelection}
      </button>
    </div>
  );
}
