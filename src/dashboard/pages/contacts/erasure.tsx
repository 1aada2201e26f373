import { useSignal } from '@preact/signals';
import { api, type Contact, eraseContact, optOutContact } from '../../client.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { useAction } from '../../state/action.ts';
import { navigate } from '../../state/location.ts';
import { contacts } from '../../text/contacts.ts';
import { nameOf } from './form.tsx';

const text = contacts.erase;

/** The button of admins that erases a person everywhere. Whoever may not be called stays on the list, unless the admin says otherwise. */
export function Erasure({ contact }: { contact: Contact }) {
  const asking = useSignal(false);
  const neverAgain = useSignal(!contact.do_not_call_state.may_be_called);
  const action = useAction();
  const params = { id: contact.id };
  const erase = async (): Promise<void> => {
    const keeps = contact.phone !== null && neverAgain.value;
    const isDone = await action.run(async () => {
      if (keeps && contact.do_not_call_state.may_be_called) await optOutContact(api, { params });
      await eraseContact(api, { params, body: { keep_do_not_call: keeps } });
    }, text.done);
    if (isDone) await navigate('/contacts');
  };
  const question = (
    <>
      {text.text}
      {contact.phone !== null && (
        <label class="check-label">
          <input
            type="checkbox"
            checked={neverAgain.value}
            onChange={(event) => void (neverAgain.value = event.currentTarget.checked)}
          />
          {text.neverAgain}
        </label>
      )}
    </>
  );
  return (
    <div class="actions">
      <button type="button" class="danger" onClick={() => void (asking.value = true)}>
        {text.action}
      </button>
      {asking.value && (
        <Confirm
          title={text.title(nameOf(contact))}
          text={question}
          action={text.action}
          act={erase}
          of={action}
          close={() => void (asking.value = false)}
        />
      )}
    </div>
  );
}
