import { api, changePassword, endSession, listSessions } from '../../client.ts';
import { Facts } from '../../parts/facts.tsx';
import { Form, Submit, TextField } from '../../parts/form.tsx';
import { ActionProblem, Loaded, Page } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { valueText } from '../../parts/status.tsx';
import { useAction } from '../../state/action.ts';
import { useForm } from '../../state/form.ts';
import type { Pages } from '../../state/pages.ts';
import { type Resource, useResource } from '../../state/resource.ts';
import { session } from '../../state/session.ts';
import { account } from '../../text/login.ts';
import { common } from '../../text/en.ts';
import { browserOf } from './browser-name.ts';

type Sessions = Awaited<ReturnType<typeof listSessions>>['data'];

function AccountPage() {
  const sessions = useResource('sessions', async (signal) => (await listSessions(api, { signal })).data);
  const { user, organization } = session.value!;
  return (
    <Page heading={account.heading}>
      <Facts
        facts={[
          [account.email, user.email],
          [account.role, valueText(user.role)],
          [account.organization, organization.name],
        ]}
      />
      <PasswordForm changed={sessions.reload} />
      <h2>{account.sessions}</h2>
      <Loaded of={sessions}>{(rows) => <SessionTable rows={rows} sessions={sessions} />}</Loaded>
    </Page>
  );
}

function SessionTable({ rows, sessions }: { rows: Sessions; sessions: Resource<Sessions> }) {
  const action = useAction();
  const end = async (id: string): Promise<void> => {
    const isDone = await action.run(async () => void (await endSession(api, { params: { id } })), account.ended);
    if (isDone) sessions.reload();
  };
  return (
    <>
      <ActionProblem of={action} />
      <Table
        caption={account.sessions}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          {
            name: account.browser,
            cell: ({ user_agent: agent }) =>
              agent === null ? common.none : <span title={agent}>{browserOf(agent)}</span>,
          },
          { name: account.address, cell: ({ ip }) => ip },
          { name: account.since, cell: ({ created_at: at }) => <Instant at={at} />, instants: true },
          { name: account.lastUsed, cell: ({ last_used_at: at }) => <Instant at={at} relative />, instants: true },
          {
            name: account.end,
            cell: ({ id, current }) =>
              current ? (
                account.thisOne
              ) : (
                <button type="button" onClick={() => void end(id)}>
                  {account.end}
                </button>
              ),
          },
        ]}
      />
    </>
  );
}

function PasswordForm({ changed }: { changed: () => void }) {
  const form = useForm({
    initial: { current_password: '', new_password: '' },
    success: account.changed,
    async save(values) {
      await changePassword(api, { body: values });
      form.reset({ current_password: '', new_password: '' });
      changed();
    },
  });
  return (
    <section aria-label={account.password}>
      <h2>{account.password}</h2>
      <Form form={form}>
        <input type="text" hidden readOnly autocomplete="username" value={session.value!.user.email} />
        <TextField
          form={form}
          name="current_password"
          label={account.current}
          type="password"
          autocomplete="current-password"
        />
        <TextField form={form} name="new_password" label={account.new} type="password" autocomplete="new-password" />
        <Submit form={form} text={account.change} />
      </Form>
    </section>
  );
}

export const pages: Pages = { '/account': AccountPage };
