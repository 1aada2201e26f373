import { useId } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { api, type Call, hangUpCall, sayInCall, sendCallDigits, transferCall } from '../../client.ts';
import { plainPhone } from '../../parts/phone.ts';
import { ActionProblem } from '../../parts/page.tsx';
import { useAction } from '../../state/action.ts';
import type { Resource } from '../../state/resource.ts';
import { calls } from '../../text/calls.ts';

type Props = { call: Call; loaded: Resource<Call> };

export function HangUp({ call: { call_id: id }, loaded }: Props) {
  const action = useAction();
  const hangUp = (): Promise<boolean> =>
    action.run(
      async ({ idempotencyKey }) => loaded.set((await hangUpCall(api, { params: { id }, idempotencyKey })).data),
      calls.hungUp,
    );
  return (
    <>
      <button type="button" class="danger" onClick={() => void hangUp()}>
        {calls.hangUp}
      </button>
      <ActionProblem of={action} />
    </>
  );
}

/** Takes part in a call that is going on: lets the agent say something, presses keys, or transfers it. */
export function Help({ call: { call_id: id, state } }: Props) {
  const params = { id };
  if (state !== 'in_progress') return null;
  return (
    <section>
      <h2>{calls.help}</h2>
      <div class="fields">
        <OneField
          label={calls.toSay}
          name={calls.say}
          done={calls.said}
          send={async (text, idempotencyKey) => void (await sayInCall(api, { params, body: { text }, idempotencyKey }))}
        />
        <OneField
          label={calls.keysToPress}
          name={calls.keys}
          done={calls.pressed}
          send={async (digits, idempotencyKey) =>
            void (await sendCallDigits(api, { params, body: { digits }, idempotencyKey }))
          }
        />
        <OneField
          label={calls.transferTo}
          name={calls.transfer}
          done={calls.transferred}
          mayBeEmpty
          send={async (to, idempotencyKey) =>
            void (await transferCall(api, { params, body: to === '' ? {} : { to: plainPhone(to) }, idempotencyKey }))
          }
        />
      </div>
    </section>
  );
}

type OneFieldProps = {
  label: string;
  /** Of the button. */
  name: string;
  done: string;
  mayBeEmpty?: boolean;
  send(text: string, idempotencyKey: string): Promise<void>;
};

function OneField({ label, name, done, mayBeEmpty = false, send }: OneFieldProps) {
  const id = useId();
  const text = useSignal('');
  const action = useAction();
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const typed = text.value.trim();
    if (typed === '' && !mayBeEmpty) return;
    if (await action.run(({ idempotencyKey }) => send(typed, idempotencyKey), done)) text.value = '';
  };
  return (
    <form class="field" noValidate onSubmit={(event) => void submit(event)}>
      <label for={id}>{label}</label>
      <div class="joined">
        <input
          id={id}
          dir="auto"
          value={text.value}
          onInput={(event) => void (text.value = event.currentTarget.value)}
        />
        <button type="submit">{name}</button>
      </div>
      <ActionProblem of={action} />
    </form>
  );
}
