import { ParleyError } from '../../client.ts';
import { Form, Submit, TextField } from '../../parts/form.tsx';
import { announce } from '../../state/announce.ts';
import { useForm } from '../../state/form.ts';
import { doNotCall } from '../../text/do-not-call.ts';
import { phonesOf } from './phones.ts';

type Body = { phones: string[]; reason?: string };
type Props = { add(body: Body, options: { idempotencyKey: string }): Promise<number> };

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
        try {
          added += await add(body, { idempotencyKey: `${idempotencyKey} ${at}` });
        } catch (error) {
          nameFaults(form.labels, error, body.phones);
          throw error;
        }
      }
      form.reset({ phones: '', reason: '' });
      announce(doNotCall.added(added, phones.length));
    },
  });
  return (
    <Form form={form}>
      <TextField form={form} name="phones" label={doNotCall.phone} hint={doNotCall.phoneHint} lines={2} />
      <TextField form={form} name="reason" label={doNotCall.reason} hint={doNotCall.reasonHint} />
      <Submit form={form} text={doNotCall.add} />
    </Form>
  );
}

/** The summary of faults shows each refused number as it was typed, and which one it is. */
function nameFaults(labels: Map<string, string>, error: unknown, phones: readonly string[]): void {
  if (!(error instanceof ParleyError)) return;
  for (const { path } of error.details) {
    const index = /^phones\[(\d+)\]$/.exec(path)?.[1];
    if (index !== undefined) labels.set(path, doNotCall.entry(Number(index) + 1, phones[Number(index)] ?? ''));
  }
}
