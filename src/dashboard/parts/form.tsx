import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { FieldValue, Form as FormState, Values } from '../state/form.ts';
import type { Clash } from '../state/merge-edits.ts';
import type { Conflict } from '../state/others-changes.ts';
import { common } from '../text/en.ts';
import { list as listText } from '../text/plural.ts';
import { Icon } from './icon.tsx';
import { Table } from './table.tsx';
import { Instant } from './time.tsx';

type FormProps<V extends Values> = {
  form: FormState<V>;
  /** Says what could not be done, above the reasons. */
  failed?: string;
  children: ComponentChildren;
};

/** A form with a summary of what is wrong; the fields say it, too. */
export function Form<V extends Values>({ form, failed = '', children }: FormProps<V>) {
  const { faults, problem } = form;
  return (
    <form noValidate onSubmit={form.submit} aria-busy={form.busy}>
      {problem !== undefined && (
        <div class="notice bad" role="alert">
          <p>{faults.size > 0 ? common.faults(faults.size) : [failed, problem].filter(Boolean).join('. ')}</p>
          {faults.size > 0 && (
            <ul>
              {[...faults].map(([path, message]) => (
                <li key={path}>{common.faultLine(labelOf(form, path), inLabels(form, message))}</li>
              ))}
            </ul>
          )}
        </div>
      )}
      {form.conflict && <OthersChanges form={form} conflict={form.conflict} />}
      {children}
    </form>
  );
}

type OthersProps<V extends Values> = { form: FormState<V>; conflict: Conflict };

/** Says what somebody else has saved meanwhile, and asks about each field that both have changed. */
function OthersChanges<V extends Values>({ form, conflict: { by, at, taken, clashes } }: OthersProps<V>) {
  return (
    <div class="notice warn" role="alert">
      <p>
        <strong>{common.changedBy(by)}</strong> {at !== null && <Instant at={at} />} {common.notSavedYet}
      </p>
      {taken.length > 0 && <p>{common.takenOver(listText(taken.map((name) => labelOf(form, name))))}</p>}
      {clashes.length > 0 && (
        <Table
          caption={common.clashes(clashes.length)}
          rows={clashes}
          rowKey={({ name }) => name}
          columns={[
            { name: common.clash.field, cell: ({ name }) => labelOf(form, name) },
            { name: common.clash.was, cell: ({ name, was }) => wordsOf(form, name, was) },
            { name: common.clash.theirs, cell: ({ name, theirs }) => wordsOf(form, name, theirs) },
            { name: common.clash.yours, cell: ({ name }) => wordsOf(form, name, form.values[name] ?? '') },
            { name: common.clash.choose, cell: (clash) => <Choose form={form} clash={clash} /> },
          ]}
        />
      )}
    </div>
  );
}

function Choose<V extends Values>({ form, clash }: { form: FormState<V>; clash: Clash }) {
  const name = labelOf(form, clash.name);
  return (
    <span class="actions">
      {(['theirs', 'mine'] as const).map((whose) => (
        <button
          key={whose}
          type="button"
          aria-description={name}
          onClick={() => {
            form.choose(clash, whose);
            focusField(clash.name);
          }}
        >
          {common.keep[whose]}
        </button>
      ))}
    </span>
  );
}

const maxShownLength = 200;

/** A field's value in words, as it stands on the page. */
function wordsOf<V extends Values>({ words }: FormState<V>, name: string, value: FieldValue): string {
  const text = words.get(name)?.(value) ?? String(value);
  if (text === '') return common.emptyValue;
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}

/** The button that was pressed is gone. */
const focusField = (name: string): void =>
  void requestAnimationFrame(() => document.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus());

/** The label of the field of a fault; `windowDays[2]` belongs to `windowDays`. */
const labelOf = <V extends Values>({ labels }: FormState<V>, path: string): string =>
  labels.get(path) ?? labels.get(path.replace(/\[\d+\]$/, '')) ?? path;

/** A name of several words, such as `windowStart` or `sip_from`, that no sentence has by chance. */
const isNoWord = /^[a-z]+(?:[A-Z_]\w+)$/;

/** A message of the interface, with the labels of the fields that it names. */
const inLabels = <V extends Values>({ labels }: FormState<V>, message: string): string =>
  [...labels].reduce((text, [path, label]) => {
    const name = path.replace(/.*\./, '');
    return isNoWord.test(name) ? text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), common.quoted(label)) : text;
  }, message);

type FieldProps<V extends Values> = {
  form: FormState<V>;
  name: keyof V & string;
  label: string;
  hint?: string | undefined;
};

/** The fault of a field, or of the first faulty item of its list, such as `phones[2]`. */
const faultAt = <V extends Values>({ faults, mended }: FormState<V>, name: string): string | undefined =>
  mended.has(name) ? undefined : (faults.get(name) ?? [...faults].find(([path]) => path.startsWith(`${name}[`))?.[1]);

/** Ids by which label, hint and fault of a field refer to each other. */
function useField<V extends Values>({ form, name, label, hint }: FieldProps<V>) {
  const id = useId();
  form.labels.set(name, label);
  const message = faultAt(form, name);
  const fault = message && inLabels(form, message);
  const described = [hint === undefined ? '' : `${id}-hint`, fault === undefined ? '' : `${id}-fault`].filter(Boolean);
  return {
    id,
    fault,
    attributes: {
      id,
      name,
      ...(fault === undefined ? {} : { 'aria-invalid': 'true' as const }),
      ...(described.length > 0 ? { 'aria-describedby': described.join(' ') } : {}),
    },
  };
}

type NotesProps = { id: string; hint?: string | undefined; fault?: string | undefined };

/** The hint and the fault of a field; its control is described by `<id>-hint` and `<id>-fault`. */
export function FieldNotes({ id, hint, fault }: NotesProps) {
  return (
    <>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          <Icon name="alert" />
          {fault}
        </p>
      )}
    </>
  );
}

type FrameProps = NotesProps & { label: string; children: ComponentChildren };

/** A field's label, hint and fault around its control. */
function FieldFrame({ id, label, hint, fault, children }: FrameProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      <FieldNotes id={id} hint={hint} fault={fault} />
    </div>
  );
}

type TextProps<V extends Values> = FieldProps<V> & {
  type?: 'text' | 'email' | 'password' | 'tel' | 'url' | 'number' | 'time' | 'search' | 'datetime-local';
  autocomplete?: string;
  /** Several lines. */
  lines?: number;
  min?: number;
  max?: number;
  step?: number | 'any';
  list?: string;
  /** Shown, but not to be changed. */
  fixed?: boolean;
  /** Has the focus when the dialog around it opens. */
  first?: boolean;
};

/** The attributes of an input that are set only where they are given. */
const given = (attributes: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

export function TextField<V extends Values>(props: TextProps<V>) {
  const {
    form,
    name,
    label,
    hint,
    type = 'text',
    autocomplete = 'off',
    lines,
    min,
    max,
    step,
    list,
    fixed = false,
    first = false,
  } = props;
  const { id, fault, attributes } = useField(props);
  const onInput = (event: Event): void =>
    form.set({ [name]: (event.currentTarget as HTMLInputElement).value } as Partial<V>);
  const value = String(form.values[name] ?? '');
  return (
    <FieldFrame id={id} label={label} hint={hint} fault={fault}>
      {lines === undefined ? (
        <input
          {...given({
            ...attributes,
            type,
            autocomplete,
            min,
            max,
            step,
            list,
            readOnly: fixed || undefined,
            'data-first-focus': first || undefined,
          })}
          dir="auto"
          value={value}
          onInput={onInput}
        />
      ) : (
        <textarea {...attributes} rows={lines} dir="auto" value={value} onInput={onInput} />
      )}
    </FieldFrame>
  );
}

export type Option = { value: string; text: string; disabled?: boolean };

export function SelectField<V extends Values>(
  props: FieldProps<V> & { options: readonly Option[]; onChange?: (value: string) => void },
) {
  const { form, name, label, hint, options, onChange } = props;
  const { id, fault, attributes } = useField(props);
  form.words.set(name, (value) => options.find((each) => each.value === value)?.text ?? String(value));
  const change = (event: Event): void => {
    const { value } = event.currentTarget as HTMLSelectElement;
    form.set({ [name]: value } as Partial<V>);
    onChange?.(value);
  };
  return (
    <FieldFrame id={id} label={label} hint={hint} fault={fault}>
      <select {...attributes} value={String(form.values[name] ?? '')} onChange={change}>
        {options.map(({ value, text, disabled = false }) => (
          <option key={value} value={value} disabled={disabled} selected={value === form.values[name]}>
            {text}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

export function CheckField<V extends Values>(props: FieldProps<V>) {
  const { form, name, label, hint } = props;
  const { id, fault, attributes } = useField(props);
  form.words.set(name, (value) => (value === true ? common.yes : common.no));
  const change = (event: Event): void =>
    form.set({ [name]: (event.currentTarget as HTMLInputElement).checked } as Partial<V>);
  return (
    <div class="field check">
      <input type="checkbox" {...attributes} checked={form.values[name] === true} onChange={change} />
      <label for={id}>{label}</label>
      <FieldNotes id={id} hint={hint} fault={fault} />
    </div>
  );
}

/** Checkboxes whose checked values together are one list. */
export function CheckGroup<V extends Values>(props: FieldProps<V> & { options: readonly Option[] }) {
  const { form, name, label, hint, options } = props;
  const { id, fault, attributes } = useField(props);
  const chosen = (form.values[name] ?? []) as readonly string[];
  form.words.set(name, (value) =>
    listText(options.filter((each) => (value as readonly string[]).includes(each.value)).map(({ text }) => text)),
  );
  const toggle = (value: string, checked: boolean): void =>
    form.set({
      [name]: options
        .map((option) => option.value)
        .filter((each) => (each === value ? checked : chosen.includes(each))),
    } as unknown as Partial<V>);
  return (
    <fieldset class="group" aria-describedby={attributes['aria-describedby']}>
      <legend>{label}</legend>
      <div class="checks">
        {options.map(({ value, text }) => (
          <label key={value} class="check-label">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              {...(fault === undefined ? {} : { 'aria-invalid': 'true', 'aria-describedby': `${id}-fault` })}
              onChange={(event) => toggle(value, event.currentTarget.checked)}
            />{' '}
            {text}
          </label>
        ))}
      </div>
      <FieldNotes id={id} hint={hint} fault={fault} />
    </fieldset>
  );
}

type SubmitProps<V extends Values> = {
  form: FormState<V>;
  text: string;
  cancel?: (() => void) | undefined;
  /** Further buttons in the bar of changes. */
  children?: ComponentChildren;
};

/** The button that sends a form. For a thing that there is already, it stands in a bar that names what was changed. */
export function Submit<V extends Values>({ form, text, cancel, children }: SubmitProps<V>) {
  const { changes } = form;
  const isChanged = changes !== undefined && changes.length > 0;
  return (
    <div class={isChanged ? 'save-bar' : 'buttons'}>
      {isChanged && (
        <p>
          <strong>{common.changes(changes.length)}</strong>: {listText(changes.map((name) => labelOf(form, name)))}
        </p>
      )}
      {isChanged && children}
      {isChanged && !cancel && (
        <button type="button" class="bare" onClick={form.undo}>
          {common.undo}
        </button>
      )}
      {cancel && (
        <button type="button" onClick={cancel}>
          {common.cancel}
        </button>
      )}
      <button type="submit" class="primary" aria-disabled={form.busy}>
        {text}
      </button>
    </div>
  );
}
