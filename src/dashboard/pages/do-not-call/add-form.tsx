import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { Form, Submit, TextField } from '../../parts/form.tsx';
import { announce } from '../../state/announce.ts';
import { useForm } from '../../state/form.ts';
import { doNotCall } from '../../text/do-not-call.ts';

type Body = { phones: string[]; reason?: string };
type Props = { add(body: Body, options: { idempotencyKey: string }): Promise<number> };

const separators = /[,;\n\r\t]+/;

/** The numbers of a text, each once. Spaces within a number are how people write it. */
const phonesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(separators)
      .map((part) => part.replace(/[\s().-]/g, ''))
      .filter((part) => part !== ''),
  ),
];

/** Numbers in international form anywhere in a file. */
const phonesIn = (text: string): string[] =>
  [...text.matchAll(/\+[1-9](?:[ ().-]{0,2}\d){6,14}/g)].map(([phone]) => phone.replace(/[^+\d]/g, ''));

/** Requests of this size, as the server limits them. */
const maxPhones = 10_000;

export function AddForm({ add }: Props) {
  const form = useForm({
    initial: { phones: '', reason: '' },
    success: '',
    async save({ phones: text, reason }, { idempotencyKey }) {
      const phones = phonesOf(text);
      let added = 0;
      for (let at = 0; at < Math.max(phones.length, 1); at += maxPhones) {
        const body = { phones: phones.slice(at, at + maxPhones), ...(reason === '' ? {} : { reason }) };
        added += await add(body, { idempotencyKey: `${idempotencyKey} ${at}` });
      }
      form.reset({ phones: '', reason: '' });
      announce(doNotCall.added(added, phones.length));
    },
  });
  return (
    <Form form={form}>
      <TextField form={form} name="phones" label={doNotCall.phone} hint={doNotCall.phoneHint} lines={2} />
      <FileInput read={(phones) => form.set({ phones: [form.values.phones, ...phones].filter(Boolean).join('\n') })} />
      <TextField form={form} name="reason" label={doNotCall.reason} hint={doNotCall.reasonHint} />
      <Submit form={form} text={doNotCall.add} />
    </Form>
  );
}

function FileInput({ read }: { read(phones: string[]): void }) {
  const id = useId();
  const fault = useSignal<string | undefined>(undefined);
  const onChange = async (input: HTMLInputElement): Promise<void> => {
    const file = input.files?.[0];
    if (!file) return;
    const phones = phonesIn(await file.text());
    fault.value = phones.length === 0 ? doNotCall.fileEmpty : undefined;
    if (phones.length > 0) read(phones);
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
        aria-describedby={fault.value === undefined ? `${id}-hint` : `${id}-fault`}
        onChange={(event) => void onChange(event.currentTarget)}
      />
      <p class="hint" id={`${id}-hint`}>
        {doNotCall.fileHint}
      </p>
      {fault.value !== undefined && (
        <p class="fault" id={`${id}-fault`}>
          {fault.value}
        </p>
      )}
    </div>
  );
}
