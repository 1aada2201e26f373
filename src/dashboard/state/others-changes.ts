import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ParleyError } from '../client.ts';
import { changedNames, type Clash, mergeEdits, type Values } from './merge-edits.ts';

/** `by` and `at` are null where the server does not know. */
export type Conflict = { by: string | null; at: string | null; taken: readonly string[]; clashes: readonly Clash[] };

/** The version of what a form changes, and its values. */
export type Edited<V extends Values> = { version: number; values: V };

type Options<V extends Values> = {
  initial: V;
  values: Signal<V>;
  saved: Signal<V>;
  edited: { version: number; reload(): Promise<Edited<V>> } | undefined;
};

/** What somebody else saves while a form is open: it is joined with what was typed, and saving waits until each clash is decided. */
export function useOthersChanges<V extends Values>({ initial, values, saved, edited }: Options<V>) {
  const conflict = useSignal<Conflict | undefined>(undefined);
  const version = useRef(edited?.version);
  // The page shows a newer version, for example after a button: a form without changes of its own goes along.
  useEffect(() => {
    if (!edited || edited.version <= (version.current ?? 0)) return;
    if (changedNames(saved.peek(), values.peek()).length > 0) return;
    version.current = edited.version;
    saved.value = initial;
    values.value = initial;
  }, [edited?.version]);

  async function merge({ conflict: told }: ParleyError, reload: () => Promise<Edited<V>>): Promise<void> {
    const fresh = await reload();
    const merged = mergeEdits(saved.peek(), values.peek(), fresh.values);
    version.current = fresh.version;
    saved.value = fresh.values;
    values.value = merged.values;
    conflict.value = { by: told?.changed_by?.name ?? null, at: told?.changed_at ?? null, ...merged };
  }

  return {
    conflict: conflict.value,
    get basedOn(): { ifMatch?: number } {
      return version.current === undefined ? {} : { ifMatch: version.current };
    },
    isUndecided: (): boolean => (conflict.peek()?.clashes.length ?? 0) > 0,
    saved(answered: { version: number } | void): void {
      if (answered) version.current = answered.version;
      conflict.value = undefined;
    },
    /** Takes over what somebody else has saved, if that is why saving failed, and returns undefined; else the error to show. */
    async unresolved(error: unknown): Promise<unknown> {
      if (!(error instanceof ParleyError) || error.status !== 412 || !edited) return error;
      try {
        await merge(error, edited.reload);
        return undefined;
      } catch (failure) {
        return failure;
      }
    },
    choose({ name, theirs }: Clash, whose: 'theirs' | 'mine'): void {
      if (whose === 'theirs') values.value = { ...values.peek(), [name]: theirs };
      const known = conflict.peek();
      if (known) conflict.value = { ...known, clashes: known.clashes.filter((clash) => clash.name !== name) };
    },
  };
}
