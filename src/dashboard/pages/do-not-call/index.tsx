import { useSignal } from '@preact/signals';
import { addDoNotCall, api, listDoNotCall, removeDoNotCall } from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Filters, SearchFilter } from '../../parts/filters.tsx';
import { Loaded, Page } from '../../parts/page.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { pageSize, query } from '../../state/location.ts';
import type { Pages } from '../../state/pages.ts';
import { useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { doNotCall } from '../../text/do-not-call.ts';
import { common } from '../../text/en.ts';
import { AddForm } from './add-form.tsx';
import { PhoneFile } from './phone-file.tsx';

type Blocked = Awaited<ReturnType<typeof listDoNotCall>>['data'][number];

function DoNotCallPage() {
  const offset = Number(query.value.get('offset') ?? 0);
  const q = query.value.get('q') ?? '';
  const list = useResource(`blocked ${offset} ${q}`, (signal) =>
    listDoNotCall(api, { query: { ...(q === '' ? {} : { q }), limit: pageSize, offset }, signal }),
  );
  const removing = useSignal<string | undefined>(undefined);
  const phone = removing.value;
  const action = useAction();
  const remove = async (given: string): Promise<void> => {
    const done = await action.run(
      async () => void (await removeDoNotCall(api, { params: { phone: given } })),
      doNotCall.removed(given),
    );
    if (done) list.reload();
  };
  return (
    <Page heading={doNotCall.heading}>
      <p>{doNotCall.text}</p>
      {isMember.value && (
        <>
          <AddForm
            add={async (body, { idempotencyKey }) => {
              const { data } = await addDoNotCall(api, { body, idempotencyKey });
              list.reload();
              return data.added;
            }}
          />
          <PhoneFile added={() => list.reload()} />
        </>
      )}
      <Filters>
        <SearchFilter name="q" label={doNotCall.search} />
      </Filters>
      <Loaded of={list}>
        {({ data, meta }) => (
          <>
            <BlockedTable rows={data} remove={(given) => void (removing.value = given)} />
            <Pager name={doNotCall.heading} meta={meta} />
          </>
        )}
      </Loaded>
      {phone !== undefined && (
        <Confirm
          title={doNotCall.removeTitle(phone)}
          text={doNotCall.removeText}
          action={doNotCall.remove}
          act={() => remove(phone)}
          of={action}
          close={() => void (removing.value = undefined)}
        />
      )}
    </Page>
  );
}

function BlockedTable({ rows, remove }: { rows: readonly Blocked[]; remove(phone: string): void }) {
  return (
    <Table
      caption={doNotCall.heading}
      rows={rows}
      rowKey={({ phone }) => phone}
      empty={query.value.has('q') ? common.noMatch : doNotCall.empty}
      columns={[
        { name: doNotCall.phone, cell: ({ phone }) => phone, whole: true },
        { name: doNotCall.reason, cell: ({ reason }) => reason },
        { name: doNotCall.on, cell: ({ created_at: at }) => <Instant at={at} />, instants: true },
        ...(isMember.value
          ? [
              {
                name: doNotCall.actions,
                cell: ({ phone }: Blocked) => (
                  <button type="button" onClick={() => remove(phone)}>
                    {doNotCall.remove}
                  </button>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

export const pages: Pages = { '/do-not-call': DoNotCallPage };
