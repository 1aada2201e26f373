import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import {
  api,
  type Campaign,
  type CampaignContact,
  explainCampaignContact,
  listCampaignContacts,
  removeCampaignContact,
} from '../../client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Filters, SearchFilter, SelectFilter } from '../../parts/filters.tsx';
import { ActionProblem, Loaded } from '../../parts/page.tsx';
import { type Selection, useSelection, withoutSelection } from '../../parts/selection.tsx';
import { Status, valueText } from '../../parts/status.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { pageSize, query } from '../../state/location.ts';
import { isSettled, useResource } from '../../state/resource.ts';
import { isMember } from '../../state/session.ts';
import { campaigns } from '../../text/campaigns.ts';
import { common } from '../../text/en.ts';
import { duration, number } from '../../text/plural.ts';
import { RemoveSelected } from './remove-selected.tsx';

type Status = CampaignContact['status'];
const statuses: readonly Status[] = [
  'pending',
  'in_progress',
  'completed',
  'no_answer',
  'busy',
  'voicemail',
  'failed',
  'cancelled',
  'expired',
];

/** While the campaign runs its contacts are asked for again, but not with every call that ends. */
const refreshMs = 3000;

function requestOf(parameters: URLSearchParams) {
  const [status, q] = [parameters.get('status'), parameters.get('q')];
  return {
    ...(status ? { status: [status as Status] } : {}),
    ...(q ? { q } : {}),
    after: parameters.get('after') ?? '',
    limit: pageSize,
  };
}

type Props = { campaign: Campaign; version: string; children: ComponentChildren };

export function Contacts({ campaign: { id }, version, children }: Props) {
  const parameters = query.value;
  const list = useResource(`${id} ${withoutSelection(parameters).toString()}`, (signal) =>
    listCampaignContacts(api, { params: { id }, query: requestOf(parameters), signal }),
  );
  useEffect(() => {
    const timer = setTimeout(list.reload, refreshMs);
    return () => clearTimeout(timer);
  }, [version]);
  const selection = useSelection<CampaignContact>(({ phone }) => phone);
  const explained = useSignal<CampaignContact | undefined>(undefined);
  return (
    <>
      <section>
        <h2>{campaigns.contacts}</h2>
        <Filters>
          <SearchFilter name="q" label={campaigns.searchContacts} />
          <SelectFilter
            name="status"
            label={campaigns.status}
            options={statuses.map((value) => ({ value, text: valueText(value) }))}
          />
        </Filters>
        <Loaded of={list}>
          {({ data, meta }) => (
            <>
              <RemoveSelected campaignId={id} selection={selection} changed={list.reload} />
              <ContactTable
                campaignId={id}
                rows={data}
                reload={list.reload}
                selection={isMember.value ? selection : undefined}
                explain={(contact) => void (explained.value = contact)}
              />
              <Pager name={campaigns.contacts} meta={meta} />
            </>
          )}
        </Loaded>
        {explained.value && (
          <WhyDialog campaignId={id} contact={explained.value} close={() => void (explained.value = undefined)} />
        )}
      </section>
      {isSettled(list) && children}
    </>
  );
}

type TableProps = {
  campaignId: string;
  rows: readonly CampaignContact[];
  reload: () => void;
  selection: Selection<CampaignContact> | undefined;
  explain: (contact: CampaignContact) => void;
};

function ContactTable({ campaignId, rows, reload, selection, explain }: TableProps) {
  const action = useAction();
  const remove = async (contactId: string): Promise<void> => {
    const params = { id: campaignId, contact_id: contactId };
    const isDone = await action.run(async () => void (await removeCampaignContact(api, { params })), campaigns.removed);
    if (isDone) reload();
  };
  return (
    <>
      <ActionProblem of={action} />
      <Table
        caption={campaigns.contacts}
        rows={rows}
        rowKey={({ id, contact_id: contact }) => contact ?? id}
        {...(selection ? { selection } : {})}
        empty={withoutSelection(query.value).size === 0 ? campaigns.noContacts : common.noMatch}
        columns={[
          {
            name: campaigns.phone,
            whole: true,
            cell: ({ phone, contact_id: id }) => (id === null ? phone : <a href={`/contacts/${id}`}>{phone}</a>),
          },
          { name: campaigns.contact, cell: ({ name }) => name ?? common.none },
          {
            name: campaigns.status,
            cell: ({ status, error_message: fault }) => (
              <>
                <Status value={status} />
                {fault !== null && <p class="quiet">{fault}</p>}
              </>
            ),
          },
          { name: campaigns.attempts, cell: ({ attempt_count: n }) => number(n), numeric: true },
          {
            name: campaigns.lastAttempt,
            cell: ({ last_attempted_at: at, call_session_id: call }) =>
              at !== null && call !== null ? (
                <a href={`/calls/${call}`}>
                  <Instant at={at} />
                </a>
              ) : (
                <Instant at={at} />
              ),
          },
          { name: campaigns.nextAttempt, cell: ({ next_retry_at: at }) => <Instant at={at} /> },
          {
            name: campaigns.length,
            cell: ({ call_duration_sec: seconds }) => (seconds === null ? common.none : duration(seconds)),
            numeric: true,
            whole: true,
          },
          {
            name: campaigns.why,
            cell: (row) => (
              <span class="actions">
                <button type="button" onClick={() => explain(row)}>
                  {campaigns.why}
                </button>
                {isMember.value && row.contact_id !== null && row.status === 'pending' && (
                  <button type="button" onClick={() => void remove(row.contact_id!)}>
                    {campaigns.remove}
                  </button>
                )}
              </span>
            ),
          },
        ]}
      />
    </>
  );
}

type WhyProps = { campaignId: string; contact: CampaignContact; close: () => void };

/** Why a contact is not called at the moment, and when it will be. */
function WhyDialog({ campaignId, contact, close }: WhyProps) {
  const shown = useRef(contact).current;
  const params = { id: campaignId, contact_id: shown.contact_id ?? shown.id };
  const why = useResource(shown.id, async (signal) => (await explainCampaignContact(api, { params, signal })).data);
  return (
    <Dialog title={campaigns.whyTitle(shown.phone)} close={close}>
      <Loaded of={why}>
        {({ dialable_now: isDialable, reasons, next_attempt_at: next }) => (
          <>
            {isDialable && <p>{campaigns.dialable}</p>}
            <ul>
              {reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
            <p>
              {next === null ? (
                !isDialable && campaigns.never
              ) : (
                <>
                  {campaigns.nextInstant}: <Instant at={next} relative />
                </>
              )}
            </p>
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
