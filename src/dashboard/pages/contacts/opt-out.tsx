import { useSignal } from '@preact/signals';
import { api, type Contact, liftContactOptOut, optOutContact } from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Status } from '../../parts/status.tsx';
import { Instant } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { contacts } from '../../text/contacts.ts';
import { nameOf } from './form.tsx';

/** Whether somebody may be called; if not, since when, why and by whom. */
export function MayBeCalled({ state }: { state: Contact['do_not_call_state'] }) {
  const { may_be_called: may, since, reason, by } = state;
  if (may)
    return (
      <Status value="may_be_called" pill>
        {contacts.mayBeCalled}
      </Status>
    );
  return (
    <Status value="do_not_call" pill>
      {contacts.notCalled} {since !== null && <Instant at={since} />}
      {reason !== null && contacts.optOutReason(reason)}
      {by?.name && contacts.optOutBy(by.name)}
    </Status>
  );
}

type Props = { contact: Contact; show: (contact: Contact) => void };

/** The button that opts the person out, or lifts that. It is no field of the form: an old page must not undo it. */
export function OptOutButton({ contact, show }: Props) {
  const asking = useSignal<'optOut' | 'lift' | undefined>(undefined);
  const action = useAction();
  const params = { id: contact.id };
  const change = (to: 'optOut' | 'lift'): Promise<boolean> =>
    action.run(
      async () => show((await (to === 'optOut' ? optOutContact : liftContactOptOut)(api, { params })).data),
      contacts.optOut[to].done,
    );
  const to = contact.do_not_call ? 'lift' : 'optOut';
  const asked = asking.value;
  return (
    <>
      <button type="button" class={to === 'optOut' ? 'danger' : undefined} onClick={() => void (asking.value = to)}>
        {contacts.optOut[to].action}
      </button>
      {asked && (
        <Confirm
          title={contacts.optOut[asked].title(nameOf(contact))}
          text={contacts.optOut[asked].text}
          action={contacts.optOut[asked].action}
          act={() => change(asked)}
          of={action}
          close={() => void (asking.value = undefined)}
        />
      )}
    </>
  );
}
