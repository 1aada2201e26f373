import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { isAborted } from '../client.ts';
import { useAction } from '../state/action.ts';
import { announce } from '../state/announce.ts';
import { messageOf } from '../state/form.ts';
import { imports } from '../text/contacts.ts';
import { common } from '../text/en.ts';
import { ActionProblem } from './page.tsx';
import { Table } from './table.tsx';

type RowFault = { row: number; reason: string };

/** An import's answer, of a dry run or of the real one. */
export type ImportAnswer = {
  created: number;
  updated: number;
  rejected: RowFault[];
  skipped: RowFault[];
  total: number;
  columns: Array<{ name: string; to: string | null }>;
  sample: string[][];
  added?: number;
};

export type ImportQuery = {
  dry_run?: boolean;
  mapping?: string;
  default_country?: string;
  on_duplicate?: 'update' | 'skip';
};

export type Send = (
  query: ImportQuery,
  body: Blob,
  options: { signal?: AbortSignal; idempotencyKey?: string },
) => Promise<ImportAnswer>;

type Mapping = Readonly<Record<string, string | null>>;

type Props = {
  send: Send;
  /** Whether rows join a campaign, so that a column of tags makes sense. */
  intoCampaign?: boolean;
  done(answer: ImportAnswer): void;
  cancel?: () => void;
};

/** From a file to contacts: shows how its columns and first rows are read, and what is rejected, before anything is stored. */
export function CsvImport({ send, intoCampaign = false, done, cancel }: Props) {
  const file = useSignal<File | undefined>(undefined);
  const mapping = useSignal<Mapping>({});
  const country = useSignal('');
  const onDuplicate = useSignal<'update' | 'skip'>('update');
  const tried = useSignal<ImportAnswer | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const action = useAction();
  const queryOf = (): ImportQuery => ({
    ...(Object.keys(mapping.value).length === 0 ? {} : { mapping: JSON.stringify(mapping.value) }),
    ...(country.value === '' ? {} : { default_country: country.value.toUpperCase() }),
    on_duplicate: onDuplicate.value,
  });
  const key = JSON.stringify([mapping.value, country.value, onDuplicate.value]);
  useEffect(() => {
    const controller = new AbortController();
    if (file.value) void dryRun(file.value, controller.signal);
    return () => controller.abort();
  }, [file.value, key]);

  async function dryRun(chosen: File, signal: AbortSignal): Promise<void> {
    try {
      const answer = await send({ ...queryOf(), dry_run: true }, chosen, { signal });
      if (signal.aborted) return;
      tried.value = answer;
      problem.value = undefined;
    } catch (error) {
      if (!signal.aborted && !isAborted(error)) problem.value = messageOf(error);
    }
  }

  const importAll = (): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      const answer = await send(queryOf(), file.value!, { idempotencyKey });
      const text = imports.done(answer.created, answer.updated, answer.rejected.length);
      announce(answer.added === undefined ? text : text + imports.added(answer.added));
      done(answer);
    });

  return (
    <>
      <FileField
        choose={(chosen) => {
          mapping.value = {};
          tried.value = undefined;
          file.value = chosen;
        }}
      />
      <div class="fields">
        <CountryField country={country.value} change={(value) => void (country.value = value)} />
        <DuplicatesField value={onDuplicate.value} change={(value) => void (onDuplicate.value = value)} />
      </div>
      {problem.value !== undefined && <ActionProblem of={{ problem: `${imports.failed}: ${problem.value}` }} />}
      <ActionProblem of={action} />
      {file.value && !tried.value && problem.value === undefined && <p class="quiet">{imports.reading}</p>}
      {tried.value && (
        <Tried
          answer={tried.value}
          fields={Object.keys(imports.fields).filter((field) => intoCampaign || field !== 'tags')}
          change={(column, to) => void (mapping.value = { ...mapping.value, [column]: to })}
        />
      )}
      <div class="buttons">
        {cancel && (
          <button type="button" onClick={cancel}>
            {common.cancel}
          </button>
        )}
        <button
          type="button"
          class="primary"
          disabled={!tried.value}
          aria-disabled={action.busy}
          onClick={() => void importAll()}
        >
          {imports.submit}
        </button>
      </div>
    </>
  );
}

function FileField({ choose }: { choose: (file: File | undefined) => void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{imports.file}</label>
      <input
        id={id}
        type="file"
        accept=".csv,.txt,.tsv,.xlsx,text/csv"
        aria-describedby={`${id}-hint`}
        onChange={(event) => choose(event.currentTarget.files?.[0])}
      />
      <p class="hint" id={`${id}-hint`}>
        {imports.fileHint}
      </p>
    </div>
  );
}

function CountryField({ country, change }: { country: string; change: (value: string) => void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{imports.country}</label>
      <input
        id={id}
        maxLength={2}
        value={country}
        autocomplete="off"
        aria-describedby={`${id}-hint`}
        onChange={(event) => change(event.currentTarget.value.trim())}
      />
      <p class="hint" id={`${id}-hint`}>
        {imports.countryHint}
      </p>
    </div>
  );
}

function DuplicatesField({ value, change }: { value: string; change: (value: 'update' | 'skip') => void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{imports.duplicates}</label>
      <select id={id} value={value} onChange={(event) => change(event.currentTarget.value as 'update' | 'skip')}>
        <option value="update">{imports.update}</option>
        <option value="skip">{imports.skip}</option>
      </select>
    </div>
  );
}

type TriedProps = {
  answer: ImportAnswer;
  fields: readonly string[];
  change(column: string, to: string | null): void;
};

function Tried({ answer, fields, change }: TriedProps) {
  const { columns, sample, rejected, skipped, total } = answer;
  return (
    <>
      <p>
        <strong>{imports.canBeImported(total - rejected.length, total)}</strong>
      </p>
      <div class="fields">
        {columns.map((column) => (
          <ColumnField key={column.name} column={column} fields={fields} change={change} />
        ))}
      </div>
      <Table
        caption={imports.firstRows}
        titled
        rows={sample.map((cells, index) => ({ index, cells }))}
        rowKey={({ index }) => String(index)}
        columns={[
          { name: imports.row, cell: ({ index }) => index + 1 },
          ...columns.map(({ name }, at) => ({
            name,
            cell: ({ cells }: { index: number; cells: string[] }) => <span dir="auto">{cells[at]}</span>,
          })),
        ]}
      />
      <Faults caption={imports.rejected} rows={rejected} />
      {skipped.length > 0 && <Faults caption={imports.skipped} rows={skipped} />}
    </>
  );
}

const Faults = ({ caption, rows }: { caption: string; rows: readonly RowFault[] }) => (
  <Table
    caption={caption}
    titled
    rows={rows}
    rowKey={({ row }) => String(row)}
    empty={common.none}
    columns={[
      { name: imports.row, cell: ({ row }) => row },
      { name: imports.reason, cell: ({ reason }) => reason },
    ]}
  />
);

type ColumnProps = {
  column: { name: string; to: string | null };
  fields: readonly string[];
  change(column: string, to: string | null): void;
};

function ColumnField({ column: { name, to }, fields, change }: ColumnProps) {
  const id = useId();
  const own = to?.startsWith('metadata.') ? to : `metadata.${name}`;
  return (
    <div class="field">
      <label for={id}>{imports.column(name)}</label>
      <select id={id} value={to ?? ''} onChange={(event) => change(name, event.currentTarget.value || null)}>
        <option value="" selected={to === null}>
          {imports.leaveOut}
        </option>
        {fields.map((field) => (
          <option key={field} value={field} selected={to === field}>
            {imports.fields[field]}
          </option>
        ))}
        <option value={own} selected={to === own}>
          {imports.metadataOf(own.slice('metadata.'.length))}
        </option>
      </select>
    </div>
  );
}
