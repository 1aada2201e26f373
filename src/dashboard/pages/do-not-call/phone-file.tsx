import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { FieldNotes } from '../../parts/form.tsx';
import { Table } from '../../parts/table.tsx';
import { doNotCall } from '../../text/do-not-call.ts';
import { type Line, readPhones } from './phones.ts';

/** Rejected lines that are shown; more say the same. */
const maxShown = 100;

/** Takes the numbers of a file, and says which of its lines have none. */
export function PhoneFile({ read }: { read(phones: string[]): void }) {
  const id = useId();
  const fault = useSignal<string | undefined>(undefined);
  const rejected = useSignal<readonly Line[]>([]);
  const onChange = async (input: HTMLInputElement): Promise<void> => {
    const file = input.files?.[0];
    if (!file) return;
    const found = readPhones(await file.text());
    fault.value = found.phones.length === 0 ? doNotCall.fileEmpty : undefined;
    rejected.value = found.rejected;
    if (found.phones.length > 0) read(found.phones);
    input.value = '';
  };
  return (
    <div class="field">
      <label for={id}>{doNotCall.file}</label>
      <input
        id={id}
        type="file"
        accept=".csv,.txt,text/*"
        aria-invalid={fault.value === undefined ? undefined : 'true'}
        aria-describedby={fault.value === undefined ? `${id}-hint` : `${id}-hint ${id}-fault`}
        onChange={(event) => void onChange(event.currentTarget)}
      />
      <FieldNotes id={id} hint={doNotCall.fileHint} fault={fault.value} />
      {rejected.value.length > 0 && <RejectedLines lines={rejected.value} />}
    </div>
  );
}

function RejectedLines({ lines }: { lines: readonly Line[] }) {
  return (
    <div role="status">
      <p>{doNotCall.rejectedLines(lines.length)}</p>
      <Table
        caption={doNotCall.rejected}
        titled
        rows={lines.slice(0, maxShown)}
        rowKey={({ row }) => String(row)}
        columns={[
          { name: doNotCall.line, cell: ({ row }) => row },
          { name: doNotCall.lineText, cell: ({ text }) => <span dir="auto">{text.slice(0, 200)}</span> },
        ]}
      />
    </div>
  );
}
