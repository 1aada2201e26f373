import { useSignal } from '@preact/signals';
import { api, listPhoneNumbers, type PhoneNumber, releasePhoneNumber } from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { type Column, Pager, Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { pageSize, query } from '../../state/location.ts';
import type { Pages } from '../../state/pages.ts';
import { useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { common, pages as names } from '../../text/en.ts';
import { numbers } from '../../text/numbers.ts';
import { number } from '../../text/plural.ts';
import { BuyDialog, EditDialog, ImportDialog } from './dialogs.tsx';
import { RegistrationState } from './fields.tsx';
import { type NumberUse, useNumberUse } from './use.ts';

type Open = { kind: 'import' | 'buy' } | { kind: 'edit' | 'release'; number: PhoneNumber };

function NumbersPage() {
  const offset = Number(query.value.get('offset') ?? 0);
  const list = useResource(String(offset), (signal) =>
    listPhoneNumbers(api, { query: { limit: pageSize, offset }, signal }),
  );
  const use = useNumberUse();
  const open = useSignal<Open | undefined>(undefined);
  const action = useAction();
  const close = (): void => void (open.value = undefined);
  const done = (): void => {
    close();
    list.reload();
  };
  const release = async ({ phone, version }: PhoneNumber): Promise<void> => {
    const isDone = await action.run(
      async () => void (await releasePhoneNumber(api, { params: { phone_number: phone }, ifMatch: version })),
      numbers.released,
    );
    if (isDone) list.reload();
  };
  const dialog = open.value;
  return (
    <Page heading={names.numbers} actions={isMember.value && <Actions show={(kind) => void (open.value = { kind })} />}>
      <Loaded of={list}>
        {({ data, meta }) => (
          <>
            <Table
              caption={names.numbers}
              rows={data}
              rowKey={({ id }) => id}
              empty={numbers.empty}
              columns={[
                ...columnsWith(use),
                ...(isMember.value ? [actionsColumn((kind, row) => void (open.value = { kind, number: row }))] : []),
              ]}
            />
            <Pager name={names.numbers} meta={meta} />
          </>
        )}
      </Loaded>
      {dialog?.kind === 'import' && <ImportDialog close={close} done={done} />}
      {dialog?.kind === 'buy' && <BuyDialog close={close} done={done} />}
      {dialog?.kind === 'edit' && <EditDialog number={dialog.number} close={close} done={done} />}
      {dialog?.kind === 'release' && (
        <Confirm
          title={numbers.releaseTitle(dialog.number.phone)}
          text={numbers.releaseText}
          action={numbers.release}
          act={() => release(dialog.number)}
          of={action}
          close={close}
        />
      )}
    </Page>
  );
}

function Actions({ show }: { show: (kind: 'import' | 'buy') => void }) {
  return (
    <>
      <button type="button" onClick={() => show('buy')}>
        {numbers.buy}
      </button>
      <button type="button" class="primary" onClick={() => show('import')}>
        {numbers.import}
      </button>
    </>
  );
}

const columnsWith = (use: NumberUse): ReadonlyArray<Column<PhoneNumber>> => [
  {
    name: numbers.phone,
    cell: ({ phone, name }) => (
      <>
        {phone}
        {name !== null && <span class="sub">{name}</span>}
      </>
    ),
    whole: true,
  },
  {
    name: numbers.status,
    cell: ({ status, paused_until: pausedUntil, last_error: fault }) => (
      <>
        <Status value={status} />
        {pausedUntil !== null && (
          <p class="quiet">
            {numbers.paused} <Instant at={pausedUntil} relative />. {fault}
          </p>
        )}
      </>
    ),
  },
  {
    name: numbers.registration,
    cell: (row) => (row.register ? <RegistrationState number={row} /> : common.none),
  },
  {
    name: numbers.uri,
    cell: ({ termination_uri: uri, type }) => (
      <>
        {uri ?? common.none}
        <span class="sub">{numbers.kinds[type]}</span>
      </>
    ),
  },
  {
    name: numbers.inbound,
    cell: ({ inbound_agent_id: id }) =>
      id === null ? common.none : <a href={`/agents/${id}`}>{use.agents.get(id) ?? numbers.anAgent}</a>,
  },
  {
    name: numbers.linesFree,
    cell: (row) => numbers.freeOf(Math.max(0, row.max_concurrent - (use.live.get(row.phone) ?? 0)), row.max_concurrent),
    numeric: true,
    whole: true,
  },
  { name: numbers.today, cell: ({ id }) => (use.today ? number(use.today.get(id) ?? 0) : common.none), numeric: true },
  {
    name: numbers.usedBy,
    cell: ({ id, phone }) => (
      <a href={`/campaigns?phone_number_id=${id}`} aria-label={numbers.seeUsers(phone)}>
        {numbers.see}
      </a>
    ),
  },
];

const actionsColumn = (show: (kind: 'edit' | 'release', number: PhoneNumber) => void): Column<PhoneNumber> => ({
  name: numbers.actions,
  cell: (row) =>
    row.status === 'active' && (
      <span class="actions">
        <button type="button" aria-label={`${numbers.edit} ${row.phone}`} onClick={() => show('edit', row)}>
          {numbers.edit}
        </button>
        <button type="button" aria-label={`${numbers.release} ${row.phone}`} onClick={() => show('release', row)}>
          {numbers.release}
        </button>
      </span>
    ),
});

export const pages: Pages = { '/numbers': NumbersPage };
