import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { newIdempotencyKey, ParleyError } from '../client.ts';
import { common } from '../text/en.ts';
import { announce } from './announce.ts';
import { confirmLeaving } from './leaving.ts';
import { guardLeaving } from './location.ts';
import { changedNames, type Clash, type FieldValue, type Values } from './merge-edits.ts';
import { type Conflict, type Edited, useOthersChanges } from './others-changes.ts';

export type { FieldValue, Values } from './merge-edits.ts';

/** An empty field means null. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());
/** Text that is no number is sent as it is, so that the server's fault names the field. */
export const numberOf = (text: string): number =>
  text.trim() === '' || Number.isNaN(Number(text)) ? (text as never) : Number(text);

export type Form<V extends Values> = {
  values: V;
  /** By the path of the field in the request, such as `schedule.windowStart`. */
  faults: ReadonlyMap<string, string>;
  /** Fields that were changed since they were found faulty. The summary of faults keeps them, so that nothing moves under who types. */
  mended: ReadonlySet<string>;
  /** The error, apart from faults of single fields. */
  problem: string | undefined;
  busy: boolean;
  changed: boolean;
  /** The names of the fields that were changed, for the form of a thing that there is already. */
  changes: readonly string[] | undefined;
  /** Takes the changes back. */
  undo(): void;
  /** What somebody else has saved since the form was opened, after saving was refused for that. */
  conflict: Conflict | undefined;
  /** Decides about a field that both have changed. */
  choose(clash: Clash, whose: 'theirs' | 'mine'): void;
  set(changes: Partial<V>): void;
  /** Takes new values as those that are saved. */
  reset(values: V): void;
  submit(event?: Event): void;
  /** Fields tell their labels, so that the summary of faults can name them. */
  labels: Map<string, string>;
  /** Words for a field's value, where they are others than the value. */
  words: Map<string, (value: FieldValue) => string>;
};

export type SaveOptions<V extends Values> = {
  idempotencyKey: string;
  /** The values that were saved last, so that only what was changed is sent. */
  saved: V;
  /** The version that they belong to, for a form with `edited`. */
  basedOn: { ifMatch?: number };
};

export type FormOptions<V extends Values> = {
  initial: V;
  /** Saves the values. A double click sends one request: repeated with the same key, it is not carried out again. */
  save(values: V, options: SaveOptions<V>): Promise<{ version: number } | void>;
  /** For the form of a thing that others may change meanwhile: its version, and what reads it again. */
  edited?: { version: number; reload(): Promise<Edited<V>> } | undefined;
  /** Message of the live region after saving; '' for none. */
  success?: string;
  /** Whether unsaved changes ask before they are lost. */
  guards?: boolean;
  /** A message instead of the server's. */
  problemOf?(error: unknown): string | undefined;
};

/** `edited` of a form whose values are made from a thing; undefined for a new one. */
export const editedThing = <T extends { version: number }, V extends Values>(
  thing: T | undefined,
  reload: (() => Promise<T>) | undefined,
  valuesOf: (thing: T) => V,
): FormOptions<V>['edited'] =>
  thing &&
  reload && {
    version: thing.version,
    async reload() {
      const fresh = await reload();
      return { version: fresh.version, values: valuesOf(fresh) };
    },
  };

/** The text for an error that a person can do something with. */
export function messageOf(error: unknown): string {
  if (error instanceof ParleyError) return error.message;
  if (error instanceof TypeError) return common.unreachable;
  return error instanceof Error ? error.message : String(error);
}

/** A form whose fields are named by the paths of the request, so that the server's faults find their fields. */
export function useForm<V extends Values>(options: FormOptions<V>): Form<V> {
  const latest = useRef(options);
  latest.current = options;
  const values = useSignal(options.initial);
  const saved = useSignal(options.initial);
  const outcome = useSignal<Outcome>({ faults: new Map() });
  const mended = useSignal<ReadonlySet<string>>(new Set());
  const busy = useSignal(false);
  const others = useOthersChanges({ initial: options.initial, values, saved, edited: options.edited });
  const key = useRef(newIdempotencyKey());
  const labels = useRef(new Map<string, string>());
  const words = useRef(new Map<string, (value: FieldValue) => string>());
  const changed = JSON.stringify(values.value) !== JSON.stringify(saved.value);
  useEffect(
    () => (changed && options.guards !== false ? guardLeaving(confirmLeaving) : undefined),
    [changed, options.guards],
  );

  async function save(): Promise<void> {
    if (others.isUndecided()) return void (outcome.value = { faults: new Map(), problem: common.chooseFirst });
    const sent = values.peek();
    busy.value = true;
    try {
      // Before saving: saving may lead to another page, which unsaved changes would ask about.
      const before = saved.peek();
      saved.value = sent;
      try {
        const { basedOn } = others;
        others.saved(await latest.current.save(sent, { idempotencyKey: key.current, saved: before, basedOn }));
      } catch (error) {
        saved.value = before;
        throw error;
      }
      outcome.value = { faults: new Map() };
      const { success = common.saved } = latest.current;
      if (success !== '') announce(success);
      key.current = newIdempotencyKey();
    } catch (failure) {
      const error = await others.unresolved(failure);
      if (error === undefined) {
        outcome.value = { faults: new Map() };
        return;
      }
      outcome.value = outcomeOf(error, latest.current.problemOf?.(error));
      // A refused request is answered the same when it is repeated; what is sent next is another one.
      if (error instanceof ParleyError) key.current = newIdempotencyKey();
      requestAnimationFrame(focusFirstFault);
    } finally {
      mended.value = new Set();
      busy.value = false;
    }
  }

  return {
    values: values.value,
    faults: outcome.value.faults,
    mended: mended.value,
    problem: outcome.value.problem,
    busy: busy.value,
    changed,
    changes: options.edited && changedNames(saved.value, values.value),
    undo() {
      values.value = saved.peek();
      outcome.value = { faults: new Map() };
    },
    labels: labels.current,
    words: words.current,
    conflict: others.conflict,
    choose: others.choose,
    set(changes) {
      values.value = { ...values.peek(), ...changes };
      if (outcome.peek().faults.size > 0) mended.value = new Set([...mended.peek(), ...Object.keys(changes)]);
    },
    reset(fresh) {
      values.value = fresh;
      saved.value = fresh;
    },
    submit(event) {
      event?.preventDefault();
      if (!busy.peek()) void save();
    },
  };
}

type Outcome = { faults: ReadonlyMap<string, string>; problem?: string };

/** What an error says of the fields. `problem`: a message instead of the server's. */
function outcomeOf(error: unknown, problem: string | undefined): Outcome {
  const details = error instanceof ParleyError ? error.details : [];
  return {
    faults: new Map(details.map(({ path, message }) => [path, message])),
    problem: problem ?? (details.length === 0 ? messageOf(error) : ''),
  };
}

function focusFirstFault(): void {
  document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
