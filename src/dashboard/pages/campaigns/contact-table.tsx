import { type CampaignContact, api, removeCampaignContact } from '../../client.ts';
import { ActionProblem } from '../../parts/page.tsx';
import type { Selection } from '../../parts/selection.tsx';
import { Status } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { query } from '../../state/location.ts';
import { isMember } from '../../state/session.ts';
import { campaigns } from '../../text/campaigns.ts';
import { common } from '../../text/en.ts';
import { duration, number } from '../../text/plural.ts';
import { filterOf } from './contact-filter.ts';

type TableProps = {
  campaignId: string;
  rows: readonly CampaignContact[];
  reload: () => void;
  selection: Selection<CampaignContact> | undefined;
  explain: (contact: CampaignContact) => void;
};

export function ContactTable({ campaignId, rows, reload, selection, explain }: TableProps) {
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
        empty={Object.keys(filterOf(query.value)).length === 0 ? campaigns.noContacts : common.noMatch}
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
            instants: true,
          },
          { name: campaigns.nextAttempt, cell: ({ next_retry_at: at }) => <Instant at={at} />, instants: true },
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
