import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { api, createUser, createUserLink, deleteUser, listUsers, updateUser, type User } from '../../client.ts';
import { CopyField } from '../../parts/copy.tsx';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { Form, Submit, TextField } from '../../parts/form.tsx';
import { ActionProblem, Loaded } from '../../parts/page.tsx';
import { Status, valueText } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { type Action, useAction } from '../../state/action.ts';
import { announce } from '../../state/announce.ts';
import { useForm } from '../../state/form.ts';
import { isSettled, useResource } from '../../state/resource.ts';
import { loadSession, session, system } from '../../state/session.ts';
import { people } from '../../text/people.ts';
import { type Role, RoleField } from './role.tsx';

type Open =
  | { kind: 'invite' }
  | { kind: 'link'; user: User }
  | { kind: 'role'; user: User }
  | { kind: 'disable'; user: User }
  | { kind: 'remove'; user: User };

/** `children`: shown below the table once it has loaded, so that it is not moved. */
export function PeopleSection({ children }: { children: ComponentChildren }) {
  const users = useResource('users', async (signal) => (await listUsers(api, { signal })).data);
  const open = useSignal<Open | undefined>(undefined);
  const action = useAction();
  const show = (next: Open): void => void (open.value = next);
  const newLink = (user: User): Promise<boolean> =>
    action.run(async ({ idempotencyKey }) => {
      const { data } = await createUserLink(api, { params: { id: user.id }, idempotencyKey });
      show({ kind: 'link', user: data });
    });
  const enable = async ({ id, email }: User): Promise<void> => {
    const done = await action.run(
      async () => void (await updateUser(api, { params: { id }, body: { disabled: false } })),
      people.enabled(email),
    );
    if (done) users.reload();
  };
  return (
    <>
      <section>
        <div class="page-head">
          <h2>{people.people}</h2>
          <button type="button" class="primary" onClick={() => show({ kind: 'invite' })}>
            {people.invite}
          </button>
        </div>
        <p class="quiet">{people.peopleText}</p>
        <ActionProblem of={action} />
        <Loaded of={users}>
          {(rows) => <PeopleTable rows={rows} show={show} newLink={newLink} enable={enable} />}
        </Loaded>
        <OpenDialog
          open={open.value}
          action={action}
          show={show}
          close={() => void (open.value = undefined)}
          changed={users.reload}
        />
      </section>
      {isSettled(users) && children}
    </>
  );
}

type TableProps = {
  rows: readonly User[];
  show(next: Open): void;
  newLink(user: User): Promise<boolean>;
  enable(user: User): Promise<void>;
};

function PeopleTable({ rows, show, newLink, enable }: TableProps) {
  const own = session.value?.user.id;
  return (
    <Table
      caption={people.people}
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { name: people.email, cell: ({ id, email }) => (id === own ? `${email} ${people.you}` : email) },
        { name: people.role, cell: ({ role }) => valueText(role) },
        { name: people.status, cell: ({ status, disabled }) => <Status value={disabled ? 'disabled' : status} /> },
        {
          name: people.lastLogin,
          cell: ({ last_login_at: at }) => <Instant at={at} relative none={people.never} />,
          instants: true,
        },
        {
          name: people.actions,
          cell: (user) => (
            <div class="actions">
              <button type="button" onClick={() => show({ kind: 'role', user })}>
                {people.changeRole}
              </button>
              {user.disabled ? (
                <button type="button" onClick={() => void enable(user)}>
                  {people.enable}
                </button>
              ) : (
                <>
                  <button type="button" onClick={() => void newLink(user)}>
                    {people.newLink}
                  </button>
                  <button type="button" onClick={() => show({ kind: 'disable', user })}>
                    {people.disable}
                  </button>
                </>
              )}
              <button type="button" class="danger" onClick={() => show({ kind: 'remove', user })}>
                {people.remove}
              </button>
            </div>
          ),
        },
      ]}
    />
  );
}

type OpenProps = { open: Open | undefined; action: Action; show(next: Open): void; close(): void; changed(): void };

function OpenDialog({ open, action, show, close, changed }: OpenProps) {
  if (open === undefined) return null;
  if (open.kind === 'invite') {
    const invited = (user: User): void => {
      changed();
      show({ kind: 'link', user });
      announce(people.invited(user.email));
    };
    return <InviteDialog key="invite" invited={invited} close={close} />;
  }
  const { user } = open;
  if (open.kind === 'link') return <LinkDialog key="link" user={user} close={close} />;
  if (open.kind === 'role') return <RoleDialog user={user} changed={changed} close={close} />;
  const act = async (work: () => Promise<unknown>, success: string): Promise<void> => {
    if (await action.run(async () => void (await work()), success)) changed();
  };
  const params = { id: user.id };
  if (open.kind === 'disable')
    return (
      <Confirm
        title={people.disableTitle(user.email)}
        text={people.disableText}
        action={people.disable}
        act={() => act(() => updateUser(api, { params, body: { disabled: true } }), people.disabled(user.email))}
        of={action}
        close={close}
      />
    );
  return (
    <Confirm
      title={people.removeTitle(user.email)}
      text={people.removeText}
      action={people.remove}
      act={() => act(() => deleteUser(api, { params }), people.removed(user.email))}
      of={action}
      close={close}
    />
  );
}

function InviteDialog({ invited, close }: { invited(user: User): void; close(): void }) {
  const form = useForm<{ email: string; role: Role }>({
    initial: { email: '', role: 'member' },
    success: '',
    async save(body, { idempotencyKey }) {
      invited((await createUser(api, { body, idempotencyKey })).data);
    },
  });
  return (
    <Dialog title={people.invite} close={close} bare>
      <Form form={form}>
        <TextField form={form} name="email" label={people.email} type="email" />
        <RoleField form={form} />
        <Submit form={form} text={people.send} cancel={close} />
      </Form>
    </Dialog>
  );
}

function LinkDialog({ user, close }: { user: User; close(): void }) {
  return (
    <Dialog title={people.linkFor(user.email)} close={close}>
      <p>
        {people.linkText(user.email)} {system.value?.email.configured && people.linkMailed} {people.linkReplaces}
      </p>
      <CopyField label={people.link} value={user.link ?? ''} />
    </Dialog>
  );
}

function RoleDialog({ user, changed, close }: { user: User; changed(): void; close(): void }) {
  const form = useForm({
    initial: { role: user.role },
    success: people.roleChanged,
    async save(body) {
      await updateUser(api, { params: { id: user.id }, body });
      if (user.id === session.value?.user.id) await loadSession();
      changed();
      close();
    },
  });
  return (
    <Dialog title={people.changeRoleOf(user.email)} close={close} bare>
      <Form form={form}>
        <RoleField form={form} />
        <Submit form={form} text={people.changeRole} cancel={close} />
      </Form>
    </Dialog>
  );
}
