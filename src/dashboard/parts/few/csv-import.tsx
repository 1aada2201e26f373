import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { isAborted } from '../../client.ts';
import { useAction } from '../../state/action.ts';
import { announce } from '../../state/announce.ts';
import { messageOf } from '../../state/form.ts';
import { imports } from '../../text/contacts.ts';
import { common } from '../../text/en.ts';
import { FieldNotes } from '../form.tsx';
import { ImportProgress, randomUuid } from './import-progress.tsx';
import { ActionProblem } from '../page.tsx';
import { type ImportAnswer, Tried } from './csv-tried.tsx';
import { phoneColumnOf } from '../phone.ts';

export type ImportQuery = {
  dry_run?: boolean;
  cells?: boolean;
  import_id?: string;
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
  /** Whose national numbers these probably are, two letters. */
  country?: string;
  done(answer: ImportAnswer): void;
  cancel?: () => void;
};

/** From a file to contacts: shows how its columns and first rows are read, and what is rejected, before anything is stored. */
export function CsvImport({ send, intoCampaign = false, country: guessed = '', done, cancel }: Props) {
  const file = useSignal<File | undefined>(undefined);
  const mapping = useSignal<Mapping>({});
  const country = useSignal(guessed);
  const onDuplicate = useSignal<'update' | 'skip'>('update');
  const finished = useSignal<{ answer: ImportAnswer; summary: string } | undefined>(undefined);
  const running = useSignal<string | undefined>(undefined);
  const action = useAction();
  const queryOf = (): ImportQuery => ({
    ...(Object.keys(mapping.value).length === 0 ? {} : { mapping: JSON.stringify(mapping.value) }),
    ...(country.value.length < 2 ? {} : { default_country: country.value.toUpperCase() }),
    on_duplicate: onDuplicate.value,
  });
  const { tried, problem } = useDryRun(send, file.value, queryOf, mapping);
  const importAll = (): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      running.value = randomUuid();
      const answer = await send({ ...queryOf(), import_id: running.value }, file.value!, { idempotencyKey });
      const summary = imports.done(answer);
      announce(summary);
      if (answer.rejected_count + answer.warning_count === 0) return done(answer);
      finished.value = { answer, summary };
    });

  if (finished.value) return <Finished {...finished.value} close={done} />;
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
      {action.busy && running.value !== undefined && (
        <ImportProgress importId={running.value} total={tried.value?.total ?? 0} />
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

/** After an import that left something out: the rows as files, to be corrected and imported again. */
function Finished({ answer, summary, close }: { answer: ImportAnswer; summary: string; close: Props['done'] }) {
  const rows = `/api/v1/contacts/imports/${answer.import_id}`;
  return (
    <>
      <p>
        <strong>{summary}</strong>
      </p>
      <p>{imports.leftOutText}</p>
      <p class="buttons">
        {answer.rejected_count > 0 && (
          <a class="button" href={`${rows}/rejected`} download>
            {imports.downloadRejected}
          </a>
        )}
        {answer.warning_count > 0 && (
          <a class="button" href={`${rows}/warnings`} download>
            {imports.downloadWarnings}
          </a>
        )}
        <button type="button" class="primary" onClick={() => close(answer)}>
          {common.close}
        </button>
      </p>
    </>
  );
}

/** The result that an import of the file would have, requested again whenever the file or a choice changes. */
function useDryRun(send: Send, file: File | undefined, queryOf: () => ImportQuery, mapping: Signal<Mapping>) {
  const tried = useSignal<ImportAnswer | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    if (file) void dryRun(file, controller.signal);
    return () => controller.abort();
  }, [file, JSON.stringify(queryOf())]);

  async function dryRun(chosen: File, signal: AbortSignal): Promise<void> {
    try {
      const answer = await send({ ...queryOf(), dry_run: true, cells: true }, chosen, { signal });
      if (signal.aborted) return;
      tried.value = answer;
      problem.value = undefined;
      leaveOutReasons(answer);
      guessPhone(answer);
    } catch (error) {
      if (!signal.aborted && !isAborted(error)) problem.value = messageOf(error);
    }
  }

  /** The file may be one of rejected rows that was mended: its reasons are no data. */
  function leaveOutReasons({ columns }: ImportAnswer): void {
    // A file that the server made of an earlier import has them in its last column.
    const reasons = columns.find(({ name }) => name === imports.reasonColumn) ?? columns.at(-1);
    const hasReasons = reasons && [imports.reasonColumn, 'reason'].includes(reasons.name) && reasons.to !== null;
    if (hasReasons && !(reasons.name in mapping.peek())) mapping.value = { ...mapping.peek(), [reasons.name]: null };
  }

  function guessPhone(answer: ImportAnswer): void {
    const column = phoneColumnOf(answer);
    if (column !== undefined && !(column in mapping.peek())) mapping.value = { ...mapping.peek(), [column]: 'phone' };
  }

  return { tried, problem };
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
      <FieldNotes id={id} hint={imports.fileHint} />
    </div>
  );
}

export function CountryField({ country, change }: { country: string; change: (value: string) => void }) {
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
        onInput={(event) => change(event.currentTarget.value.trim())}
      />
      <FieldNotes id={id} hint={imports.countryHint} />
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
