import { useSignal } from '@preact/signals';
import { api, type CalendarStatus, disconnectCalendar, getCalendarStatus } from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { useAction } from '../../state/action.ts';
import type { Pages } from '../../state/pages.ts';
import { useResource } from '../../state/resource.ts';
import { isMember, session } from '../../state/session.ts';
import { calendar } from '../../text/calendar.ts';
import { common } from '../../text/en.ts';
import { Connect } from './connect.tsx';
import { TryEventType } from './try-event-type.tsx';

type Account = CalendarStatus['accounts'][number];

function CalendarPage() {
  const orgId = session.value!.organization.id;
  const status = useResource(
    'calendar',
    async (signal) => (await getCalendarStatus(api, { query: { org_id: orgId }, signal })).data,
  );
  const connecting = useSignal(false);
  return (
    <Page
      heading={calendar.heading}
      about={calendar.text}
      actions={
        isMember.value && (
          <button type="button" class="primary" onClick={() => void (connecting.value = true)}>
            {calendar.connect}
          </button>
        )
      }
    >
      {connecting.value && <Connect connected={status.reload} close={() => void (connecting.value = false)} />}
      <Loaded of={status}>
        {({ accounts }) => (
          <div class="columns two-one">
            <Accounts accounts={accounts} changed={status.reload} />
            {accounts.length > 0 ? <TryEventType /> : <HowItWorks />}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function HowItWorks() {
  return (
    <section>
      <h2>{calendar.howTo}</h2>
      <ol class="stack tight">
        {calendar.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  );
}

function Accounts({ accounts, changed }: { accounts: readonly Account[]; changed(): void }) {
  const action = useAction();
  const asking = useSignal<Account | undefined>(undefined);
  const disconnect = async ({ id }: Account): Promise<void> => {
    const body = { org_id: session.value!.organization.id, provider_id: id };
    const done = await action.run(async () => void (await disconnectCalendar(api, { body })), calendar.disconnected);
    if (done) changed();
  };
  const asked = asking.value;
  const actions = {
    name: calendar.actions,
    cell: (account: Account) => (
      <button type="button" class="danger" onClick={() => void (asking.value = account)}>
        {calendar.disconnect}
      </button>
    ),
  };
  return (
    <section>
      <h2>{calendar.accounts}</h2>
      <Table
        caption={calendar.accounts}
        rows={accounts}
        rowKey={({ id }) => id}
        empty={calendar.none}
        columns={[
          { name: calendar.account, cell: ({ account_name: name }) => name },
          { name: calendar.status, cell: ({ error, status }) => <Status value={error === null ? status : 'error'} /> },
          { name: calendar.fault, cell: ({ error }) => error ?? common.none },
          ...(isMember.value ? [actions] : []),
        ]}
      />
      {asked && (
        <Confirm
          title={calendar.disconnectTitle(asked.account_name)}
          text={calendar.disconnectText}
          action={calendar.disconnect}
          act={() => disconnect(asked)}
          of={action}
          close={() => void (asking.value = undefined)}
        />
      )}
    </section>
  );
}

export const pages: Pages = { '/calendar': CalendarPage };
