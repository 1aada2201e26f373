import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { newIdempotencyKey, ParleyError } from '../client.ts';
import { common } from '../text/en.ts';
import { announce } from './announce.ts';
import { confirmLeaving } from './leaving.ts';
import { guardLeaving } from './location.ts';

export type FieldValue = string | boolean | readonly string[];
export type Values = Readonly<Record<string, FieldValue>>;

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
  set(changes: Partial<V>): void;
  /** Takes new values as those that are saved. */
  reset(values: V): void;
  submit(event?: Event): void;
  /** Fields tell their labels, so that the summary of faults can name them. */
  labels: Map<string, string>;
};

export type FormOptions<V extends Values> = {
  initial: V;
  /** Saves the values. A double click sends one request: repeated with the same key, it is not carried out again. */
  save(values: V, options: { idempotencyKey: string }): Promise<void>;
  /** Message of the live region after saving; '' for none. */
  success?: string;
  /** Whether unsaved changes ask before they are lost. */
  guards?: boolean;
  /** A message instead of the server's. */
  problemOf?(error: unknown): string | undefined;
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
  const outcome = useSignal<{ faults: ReadonlyMap<string, string>; problem?: string }>({ faults: new Map() });
  const mended = useSignal<ReadonlySet<string>>(new Set());
  const busy = useSignal(false);
  const key = useRef(newIdempotencyKey());
  const labels = useRef(new Map<string, string>());
  const changed = JSON.stringify(values.value) !== JSON.stringify(saved.value);
  useEffect(
    () => (changed && options.guards !== false ? guardLeaving(confirmLeaving) : undefined),
    [changed, options.guards],
  );

  async function save(): Promise<void> {
    const sent = values.peek();
    busy.value = true;
    try {
      // Before saving: saving may lead to another page, which unsaved changes would ask about.
      const before = saved.peek();
      saved.value = sent;
      try {
        await latest.current.save(sent, { idempotencyKey: key.current });
      } catch (error) {
        saved.value = before;
        throw error;
      }
      outcome.value = { faults: new Map() };
      const { success = common.saved } = latest.current;
      if (success !== '') announce(success);
      key.current = newIdempotencyKey();
    } catch (error) {
      const details = error instanceof ParleyError ? error.details : [];
      outcome.value = {
        faults: new Map(details.map(({ path, message }) => [path, message])),
        problem: latest.current.problemOf?.(error) ?? (details.length === 0 ? messageOf(error) : ''),
      };
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
    labels: labels.current,
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

function focusFirstFault(): void {
  document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
