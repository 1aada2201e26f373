import {
  api,
  getImportedPhoneNumber,
  importPhoneNumber,
  listAvailablePhoneNumbers,
  type NumberToImport,
  type PhoneNumber,
  purchasePhoneNumber,
  updatePhoneNumber,
} from '../../client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, SelectField, Submit, TextField } from '../../parts/form.tsx';
import { ActionProblem, Loaded } from '../../parts/page.tsx';
import { plainPhone } from '../../parts/phone.ts';
import { Table } from '../../parts/table.tsx';
import { useAction } from '../../state/action.ts';
import { editedThing, orNull, useForm } from '../../state/form.ts';
import { changedFields } from '../../state/merge-edits.ts';
import { useResource } from '../../state/resource.ts';
import { system } from '../../state/session.ts';
import { common } from '../../text/en.ts';
import { numbers } from '../../text/numbers.ts';
import { number } from '../../text/plural.ts';
import { accountChangesOf, AccountFields, accountValuesOf } from './account.tsx';

type Props = { close: () => void; done: () => void };

export function ImportDialog({ close, done }: Props) {
  const form = useForm({
    initial: { phone: '', name: '', termination_uri: '', sip_username: '', sip_password: '', transport: '' },
    guards: false,
    success: numbers.imported,
    async save(values, { idempotencyKey }) {
      const body = {
        phone: plainPhone(values.phone),
        name: orNull(values.name),
        termination_uri: values.termination_uri.trim(),
        sip_username: orNull(values.sip_username),
        sip_password: values.sip_password === '' ? null : values.sip_password,
        transport: orNull(values.transport),
      } as NumberToImport;
      await importPhoneNumber(api, { body, idempotencyKey });
      done();
    },
  });
  return (
    <Dialog title={numbers.import} close={close} bare>
      {system.value?.carrier.simulated && <p class="notice">{numbers.simulated}</p>}
      <Form form={form}>
        <TextField form={form} name="phone" label={numbers.phone} type="tel" hint={numbers.phoneHint} />
        <TextField form={form} name="name" label={numbers.name} />
        <TextField form={form} name="termination_uri" label={numbers.uri} hint={numbers.uriHint} />
        <TextField
          form={form}
          name="sip_username"
          label={numbers.username}
          hint={numbers.usernameHint}
          autocomplete="username"
        />
        <TextField
          form={form}
          name="sip_password"
          label={numbers.password}
          type="password"
          autocomplete="new-password"
        />
        <SelectField
          form={form}
          name="transport"
          label={numbers.transport}
          options={[
            { value: '', text: common.none },
            ...['udp', 'tcp', 'tls'].map((value) => ({ value, text: value.toUpperCase() })),
          ]}
        />
        <Submit form={form} text={numbers.submit} cancel={close} />
      </Form>
    </Dialog>
  );
}

const valuesOf = (edited: PhoneNumber) => ({
  ...accountValuesOf(edited),
  name: edited.name ?? '',
  max_concurrent: String(edited.max_concurrent),
  max_cps: String(edited.max_cps),
});

const changesOf = (values: ReturnType<typeof valuesOf>) => ({
  ...accountChangesOf(values),
  name: orNull(values.name),
  max_concurrent: Number(values.max_concurrent),
  max_cps: Number(values.max_cps),
});

export function EditDialog({ number: edited, close, done }: Props & { number: PhoneNumber }) {
  const params = { id: edited.id };
  const form = useForm({
    initial: valuesOf(edited),
    edited: editedThing(edited, async () => (await getImportedPhoneNumber(api, { params })).data, valuesOf),
    guards: false,
    async save(values, { saved, basedOn }) {
      const body = changedFields(changesOf(saved), changesOf(values));
      await updatePhoneNumber(api, { params, body, ...basedOn });
      done();
    },
  });
  return (
    <Dialog title={numbers.editTitle(edited.phone)} close={close} bare>
      <Form form={form}>
        <TextField form={form} name="name" label={numbers.name} />
        <TextField form={form} name="max_concurrent" label={numbers.atATime} type="number" min={1} />
        <TextField form={form} name="max_cps" label={numbers.perSecond} type="number" min={1} />
        <AccountFields form={form} number={edited} />
        <Submit form={form} text={common.save} cancel={close} />
      </Form>
    </Dialog>
  );
}

export function BuyDialog({ close, done }: Props) {
  const offered = useResource('offered', async (signal) => (await listAvailablePhoneNumbers(api, { signal })).data);
  const action = useAction();
  const buy = (phone: string): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      await purchasePhoneNumber(api, { body: { phone }, idempotencyKey });
      done();
    }, numbers.bought);
  return (
    <Dialog title={numbers.buy} close={close}>
      <ActionProblem of={action} />
      <Loaded of={offered}>
        {(rows) => (
          <Table
            caption={numbers.available}
            rows={rows}
            rowKey={({ phone }) => phone}
            empty={numbers.noneForSale}
            columns={[
              { name: numbers.phone, cell: ({ phone }) => phone, whole: true },
              { name: numbers.name, cell: ({ name }) => name ?? common.none },
              {
                name: numbers.price,
                cell: ({ monthly_price: price }) => (price === null ? common.none : number(price)),
                numeric: true,
              },
              {
                name: numbers.actions,
                cell: ({ phone }) => (
                  <button type="button" aria-label={`${numbers.buyThis} ${phone}`} onClick={() => void buy(phone)}>
                    {numbers.buyThis}
                  </button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Dialog>
  );
}
