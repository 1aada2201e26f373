import { useSignal } from '@preact/signals';
import {
  type Agent,
  api,
  type Contact,
  createCall,
  listAgents,
  listPhoneNumbers,
  type PhoneNumber,
} from '../../client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, SelectField, Submit } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/page.tsx';
import { useForm } from '../../state/form.ts';
import { navigate } from '../../state/location.ts';
import { useResource } from '../../state/resource.ts';
import { contacts } from '../../text/contacts.ts';

/** Calls one person at once, with an agent and a number to choose. */
export function CallNow({ contact }: { contact: Contact }) {
  const isOpen = useSignal(false);
  if (contact.phone === null || !contact.do_not_call_state.may_be_called) return null;
  return (
    <>
      <button type="button" onClick={() => void (isOpen.value = true)}>
        <Icon name="calls" />
        {contacts.callNow}
      </button>
      {isOpen.value && <CallDialog contact={contact} close={() => void (isOpen.value = false)} />}
    </>
  );
}

type Props = { contact: Contact; close: () => void };

function CallDialog({ contact, close }: Props) {
  const choices = useResource('choices', async (signal) => {
    const [agents, numbers] = await Promise.all([
      listAgents(api, { query: { limit: 500 }, signal }),
      listPhoneNumbers(api, { query: { limit: 500 }, signal }),
    ]);
    return {
      agents: agents.data.filter(({ status }) => status === 'ACTIVE'),
      numbers: numbers.data.filter(({ status }) => status === 'active'),
    };
  });
  return (
    <Dialog title={contacts.callNow} close={close} bare>
      <Loaded of={choices}>
        {({ agents, numbers }) =>
          agents.length === 0 || numbers.length === 0 ? (
            <p>{contacts.callNeeds}</p>
          ) : (
            <CallForm contact={contact} close={close} agents={agents} numbers={numbers} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

type FormProps = Props & { agents: readonly Agent[]; numbers: readonly PhoneNumber[] };

function CallForm({ contact, close, agents, numbers }: FormProps) {
  const form = useForm({
    initial: { agent_id: agents[0]!.id, phone_number_id: numbers[0]!.id },
    guards: false,
    success: '',
    async save(values, { idempotencyKey }) {
      const body = { ...values, to: contact.phone!, contact_id: contact.id };
      const { data } = await createCall(api, { body, idempotencyKey });
      close();
      await navigate(`/calls/${data.call_id}`);
    },
  });
  return (
    <Form form={form}>
      <SelectField
        form={form}
        name="agent_id"
        label={contacts.agent}
        options={agents.map(({ id, agentName }) => ({ value: id, text: agentName }))}
      />
      <SelectField
        form={form}
        name="phone_number_id"
        label={contacts.callFrom}
        options={numbers.map(({ id, phone, name }) => ({
          value: id,
          text: name === null ? phone : `${phone} ${name}`,
        }))}
      />
      <Submit form={form} text={contacts.call} cancel={close} />
    </Form>
  );
}
