import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { api, importDoNotCall } from '../../client.ts';
import { CountryField } from '../../parts/few/csv-import.tsx';
import { FieldNotes } from '../../parts/form.tsx';
import { ActionProblem } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { useAction } from '../../state/action.ts';
import { announce } from '../../state/announce.ts';
import { imports } from '../../text/contacts.ts';
import { doNotCall } from '../../text/do-not-call.ts';

type Answer = Awaited<ReturnType<typeof importDoNotCall>>['data'];

/** Rejected rows that are shown; more say the same. */
const maxShown = 100;

/** Adds the numbers of a file, such as a company's blocking list, and says which of its rows have none. */
export function PhoneFile({ added }: { added(): void }) {
  const id = useId();
  const file = useSignal<File | undefined>(undefined);
  const country = useSignal('');
  const reason = useSignal('');
  const answer = useSignal<Answer | undefined>(undefined);
  const action = useAction();
  const add = (): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      const query = {
        ...(country.value === '' ? {} : { default_country: country.value.toUpperCase() }),
        ...(reason.value === '' ? {} : { reason: reason.value }),
      };
      const { data } = await importDoNotCall(api, { query, body: file.value!, idempotencyKey });
      answer.value = data;
      announce(doNotCall.fileAdded(data.added, data.already));
      added();
    });
  return (
    <section aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>{doNotCall.fromFile}</h2>
      <div class="fields">
        <div class="field">
          <label for={id}>{doNotCall.file}</label>
          <input
            id={id}
            type="file"
            accept=".csv,.txt,.tsv,.xlsx,text/*"
            aria-describedby={`${id}-hint`}
            onChange={(event) => void (file.value = event.currentTarget.files?.[0])}
          />
          <FieldNotes id={id} hint={doNotCall.fileHint} />
        </div>
        <CountryField country={country.value} change={(value) => void (country.value = value)} />
        <div class="field">
          <label for={`${id}-reason`}>{doNotCall.fileReason}</label>
          <input
            id={`${id}-reason`}
            maxLength={500}
            value={reason.value}
            onInput={(event) => void (reason.value = event.currentTarget.value)}
          />
        </div>
      </div>
      <ActionProblem of={action} />
      <div class="buttons">
        <button type="button" disabled={!file.value} aria-disabled={action.busy} onClick={() => void add()}>
          {doNotCall.addFile}
        </button>
      </div>
      {answer.value && answer.value.rejected_count > 0 && <RejectedRows answer={answer.value} />}
    </section>
  );
}

const RejectedRows = ({ answer: { rejected, rejected_count: all } }: { answer: Answer }) => (
  <div role="status">
    <p>{doNotCall.rejectedRows(all)}</p>
    <Table
      caption={doNotCall.rejected}
      titled
      rows={rejected.slice(0, maxShown)}
      rowKey={({ row }) => String(row)}
      columns={[
        { name: doNotCall.row, cell: ({ row }) => row },
        { name: doNotCall.why, cell: ({ reason }) => imports.reasonText(reason) },
      ]}
    />
  </div>
);
