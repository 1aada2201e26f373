import { api, createCall, listPhoneNumbers, type PhoneNumber } from '../../client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, SelectField, Submit, TextField } from '../../parts/form.tsx';
import { Loaded } from '../../parts/page.tsx';
import { plainPhone } from '../../parts/phone.ts';
import { useForm } from '../../state/form.ts';
import { navigate } from '../../state/location.ts';
import { useResource } from '../../state/resource.ts';
import { system } from '../../state/session.ts';
import { agents, outcomes } from '../../text/agents.ts';

export function TryACall({ agentId, close }: { agentId: string; close: () => void }) {
  const numbers = useResource('numbers', async (signal) => {
    const { data } = await listPhoneNumbers(api, { query: { limit: 500 }, signal });
    return data.filter(({ status }) => status === 'active');
  });
  return (
    <Dialog title={agents.try} close={close}>
      <Loaded of={numbers}>
        {(data) =>
          data.length === 0 ? <p>{agents.noNumbers}</p> : <CallForm agentId={agentId} numbers={data} close={close} />
        }
      </Loaded>
    </Dialog>
  );
}

function CallForm({
  agentId,
  numbers,
  close,
}: {
  agentId: string;
  numbers: readonly PhoneNumber[];
  close: () => void;
}) {
  const isSimulated = system.value?.carrier.simulated === true;
  const form = useForm({
    initial: { phone_number_id: numbers[0]!.id, to: isSimulated ? outcomes[0]![0] : '' },
    guards: false,
    success: '',
    async save({ phone_number_id: from, to }, { idempotencyKey }) {
      const body = { agent_id: agentId, phone_number_id: from, to: plainPhone(to) };
      const { data } = await createCall(api, { body, idempotencyKey });
      close();
      await navigate(`/calls/${data.call_id}`);
    },
  });
  const known = outcomes.some(([phone]) => phone === form.values.to);
  return (
    <Form form={form}>
      <SelectField
        form={form}
        name="phone_number_id"
        label={agents.from}
        options={numbers.map(({ id, phone, name }) => ({
          value: id,
          text: name === null ? phone : `${phone} ${name}`,
        }))}
      />
      <TextField form={form} name="to" label={agents.to} type="tel" hint={agents.toHint} />
      {isSimulated && (
        <fieldset>
          <legend>{agents.outcome}</legend>
          <p class="hint">{agents.outcomeHint}</p>
          <div class="checks">
            {outcomes.map(([phone, text]) => (
              <label key={phone} class="check-label">
                <input
                  type="radio"
                  name="outcome"
                  checked={known && form.values.to === phone}
                  onChange={() => form.set({ to: phone })}
                />{' '}
                {text}
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <Submit form={form} text={agents.call} />
    </Form>
  );
}
