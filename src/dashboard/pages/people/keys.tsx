import { useSignal } from '@preact/signals';
import {
  api,
  type ApiKey,
  createApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../../client.ts';
import { CopyField } from '../../parts/copy.tsx';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { Form, SelectField, Submit, TextField } from '../../parts/form.tsx';
import { Loaded } from '../../parts/page.tsx';
import { valueText } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { announce } from '../../state/announce.ts';
import { useForm } from '../../state/form.ts';
import { useResource } from '../../state/resource.ts';
import { people } from '../../text/people.ts';
import { type Role, RoleField } from './role.tsx';

type Open =
  | { kind: 'new' }
  | { kind: 'made'; made: NewApiKey }
  | { kind: 'rotate'; key: ApiKey }
  | { kind: 'revoke'; key: ApiKey };

export function KeySection() {
  const keys = useResource('keys', async (signal) => (await listApiKeys(api, { signal })).data);
  const open = useSignal<Open | undefined>(undefined);
  const action = useAction();
  const show = (next: Open): void => void (open.value = next);
  const close = (): void => void (open.value = undefined);
  const made = (key: NewApiKey, text: string): void => {
    keys.reload();
    show({ kind: 'made', made: key });
    announce(text);
  };
  const revoke = async ({ id, name }: ApiKey): Promise<void> => {
    const done = await action.run(async () => void (await revokeApiKey(api, { params: { id } })), people.revoked(name));
    if (done) keys.reload();
  };
  const shown = open.value;
  return (
    <section>
      <div class="page-head">
        <h2>{people.keys}</h2>
        <button type="button" onClick={() => show({ kind: 'new' })}>
          {people.newKey}
        </button>
      </div>
      <p class="quiet">{people.keysText}</p>
      <Loaded of={keys}>{(rows) => <KeyTable rows={rows} show={show} />}</Loaded>
      {shown?.kind === 'new' && <NewKeyDialog key="new" made={made} close={close} />}
      {shown?.kind === 'made' && <MadeDialog key="made" made={shown.made} close={close} />}
      {shown?.kind === 'rotate' && <RotateDialog key="rotate" old={shown.key} made={made} close={close} />}
      {shown?.kind === 'revoke' && (
        <Confirm
          title={people.revokeTitle(shown.key.name)}
          text={people.revokeText}
          action={people.revoke}
          act={() => revoke(shown.key)}
          of={action}
          close={close}
        />
      )}
    </section>
  );
}

function KeyTable({ rows, show }: { rows: readonly ApiKey[]; show(next: Open): void }) {
  return (
    <Table
      caption={people.keys}
      rows={rows}
      rowKey={({ id }) => id}
      empty={people.noKeys}
      columns={[
        { name: people.name, cell: ({ name }) => name },
        { name: people.role, cell: ({ role }) => valueText(role) },
        { name: people.created, cell: ({ created_at: at }) => <Instant at={at} />, instants: true },
        {
          name: people.lastUsed,
          cell: ({ last_used_at: at }) => <Instant at={at} relative none={people.never} />,
          instants: true,
        },
        { name: people.ends, cell: ({ expires_at: at }) => <Instant at={at} relative />, instants: true },
        {
          name: people.actions,
          cell: (key) => (
            <div class="actions">
              {key.expires_at === null && (
                <button type="button" onClick={() => show({ kind: 'rotate', key })}>
                  {people.rotate}
                </button>
              )}
              <button type="button" class="danger" onClick={() => show({ kind: 'revoke', key })}>
                {people.revoke}
              </button>
            </div>
          ),
        },
      ]}
    />
  );
}

type MakerProps = { made(key: NewApiKey, text: string): void; close(): void };

function NewKeyDialog({ made, close }: MakerProps) {
  const form = useForm<{ name: string; role: Role }>({
    initial: { name: '', role: 'member' },
    success: '',
    async save(body, { idempotencyKey }) {
      made((await createApiKey(api, { body, idempotencyKey })).data, people.keyCreated(body.name));
    },
  });
  return (
    <Dialog title={people.newKey} close={close} bare>
      <Form form={form}>
        <TextField form={form} name="name" label={people.name} hint={people.nameHint} />
        <RoleField form={form} />
        <Submit form={form} text={people.createKey} cancel={close} />
      </Form>
    </Dialog>
  );
}

function RotateDialog({ old, made, close }: MakerProps & { old: ApiKey }) {
  const form = useForm({
    initial: { overlap_seconds: '86400' },
    success: '',
    guards: false,
    async save({ overlap_seconds: overlap }, { idempotencyKey }) {
      const body = { overlap_seconds: Number(overlap) };
      made((await rotateApiKey(api, { params: { id: old.id }, body, idempotencyKey })).data, people.rotated(old.name));
    },
  });
  const options = people.overlaps.map(([seconds, text]) => ({ value: String(seconds), text }));
  return (
    <Dialog title={people.rotateTitle(old.name)} close={close} bare>
      <p>{people.rotateText}</p>
      <Form form={form}>
        <SelectField form={form} name="overlap_seconds" label={people.overlap} options={options} />
        <Submit form={form} text={people.rotate} cancel={close} />
      </Form>
    </Dialog>
  );
}

function MadeDialog({ made, close }: { made: NewApiKey; close(): void }) {
  return (
    <Dialog title={people.keyFor(made.name)} close={close}>
      <p>{people.keyText}</p>
      <CopyField label={people.key} value={made.api_key} />
    </Dialog>
  );
}
