import { useSignal } from '@preact/signals';
import {
  api,
  checkPhoneNumber,
  getImportedPhoneNumber,
  importPhoneNumber,
  listAgents,
  listAvailablePhoneNumbers,
  type PhoneNumber,
  purchasePhoneNumber,
  updatePhoneNumber,
} from '../../client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, Submit, TextField } from '../../parts/form.tsx';
import { ThingHistory } from '../../parts/few/history.tsx';
import { ActionProblem, Loaded } from '../../parts/page.tsx';
import { plainPhone } from '../../parts/phone.ts';
import { Table } from '../../parts/table.tsx';
import { useAction } from '../../state/action.ts';
import { editedThing, useForm } from '../../state/form.ts';
import { changedFields } from '../../state/merge-edits.ts';
import { useResource } from '../../state/resource.ts';
import { system } from '../../state/session.ts';
import { common } from '../../text/en.ts';
import { numbers } from '../../text/numbers.ts';
import { number } from '../../text/plural.ts';
import { limitBodyOf, limitValuesOf, trunkBodyOf, TrunkFields, trunkValuesOf } from './fields.tsx';

type Props = { close: () => void; done: () => void };

const loadAgents = async (signal: AbortSignal) => (await listAgents(api, { query: { limit: 500 }, signal })).data;

export function ImportDialog({ close, done }: Props) {
  const agents = useResource('agents', loadAgents);
  const form = useForm({
    initial: { phone: '', ...trunkValuesOf(undefined) },
    guards: false,
    success: numbers.imported,
    async save(values, { idempotencyKey }) {
      await importPhoneNumber(api, {
        body: { phone: plainPhone(values.phone), termination_uri: '', ...trunkBodyOf(values) },
        idempotencyKey,
      });
      done();
    },
  });
  return (
    <Dialog title={numbers.import} close={close} bare wide>
      {system.value?.carrier.simulated && <p class="notice">{numbers.simulated}</p>}
      <Form form={form}>
        <div class="fields">
          <TextField form={form} name="phone" label={numbers.phone} type="tel" hint={numbers.phoneHint} />
          <TextField form={form} name="name" label={numbers.name} />
        </div>
        <TrunkFields form={form} agents={agents.data ?? []} />
        <Submit form={form} text={numbers.submit} cancel={close} />
      </Form>
    </Dialog>
  );
}

const valuesOf = (edited: PhoneNumber) => ({ ...trunkValuesOf(edited), ...limitValuesOf(edited) });
const bodyOf = (values: ReturnType<typeof valuesOf>) => ({ ...trunkBodyOf(values), ...limitBodyOf(values) });

export function EditDialog({ number: edited, close, done }: Props & { number: PhoneNumber }) {
  const params = { id: edited.id };
  const agents = useResource('agents', loadAgents);
  const form = useForm({
    initial: valuesOf(edited),
    edited: editedThing(edited, async () => (await getImportedPhoneNumber(api, { params })).data, valuesOf),
    guards: false,
    async save(values, { saved, basedOn }) {
      const body = changedFields(bodyOf(saved), bodyOf(values));
      await updatePhoneNumber(api, { params, body, ...basedOn });
      done();
    },
  });
  return (
    <Dialog title={numbers.editTitle(edited.phone)} close={close} bare wide>
      <Form form={form}>
        <div class="fields">
          <TextField form={form} name="name" label={numbers.name} />
          <TextField form={form} name="max_concurrent" label={numbers.atATime} type="number" min={1} />
          <TextField form={form} name="max_cps" label={numbers.perSecond} type="number" min={1} />
        </div>
        <TrunkFields form={form} agents={agents.data ?? []} />
        <Check id={edited.id} />
        <Submit form={form} text={common.save} cancel={close} />
      </Form>
      <ThingHistory kind="number" id={edited.id} version={edited.version} />
    </Dialog>
  );
}

/** Asks the number's trunk whether it is there. */
function Check({ id }: { id: string }) {
  const action = useAction();
  const found = useSignal<string | undefined>(undefined);
  const check = (): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      const { data } = await checkPhoneNumber(api, { params: { id }, idempotencyKey });
      found.value = (data.reachable ? numbers.reachable : numbers.unreachable)(data.duration_ms, data.detail);
    });
  return (
    <div class="actions">
      <button type="button" onClick={() => void check()}>
        {numbers.check}
      </button>
      {found.value !== undefined && <span role="status">{found.value}</span>}
      <ActionProblem of={action} />
    </div>
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
