import { useId, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { api, type Call, hangUpCall, ParleyError, sayInCall, sendCallDigits, transferCall } from '../../client.ts';
import { FieldNotes } from '../../parts/form.tsx';
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
          fault={() => calls.cannotSay}
          send={async (text, idempotencyKey) => void (await sayInCall(api, { params, body: { text }, idempotencyKey }))}
        />
        <OneField
          label={calls.keysToPress}
          name={calls.keys}
          done={calls.pressed}
          fault={() => calls.noKeys}
          send={async (digits, idempotencyKey) =>
            void (await sendCallDigits(api, { params, body: { digits }, idempotencyKey }))
          }
        />
        <OneField
          label={calls.transferTo}
          name={calls.transfer}
          done={calls.transferred}
          fault={(to) => (to === '' ? calls.noTransferPhone : calls.noPhone)}
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
  /** The fault of a text that the server refuses. */
  fault(text: string): string;
  send(text: string, idempotencyKey: string): Promise<void>;
};

function OneField({ label, name, done, mayBeEmpty = false, fault, send }: OneFieldProps) {
  const id = useId();
  const text = useSignal('');
  const refused = useSignal<string | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const action = useAction();
  const trySend = async (typed: string, idempotencyKey: string): Promise<void> => {
    try {
      await send(typed, idempotencyKey);
    } catch (error) {
      if (error instanceof ParleyError && error.details.length > 0) {
        refused.value = fault(typed);
        input.current?.focus();
      }
      throw error;
    }
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const typed = text.value.trim();
    if (typed === '' && !mayBeEmpty) return;
    refused.value = undefined;
    if (await action.run(({ idempotencyKey }) => trySend(typed, idempotencyKey), done)) text.value = '';
  };
  return (
    <form class="field" noValidate onSubmit={(event) => void submit(event)}>
      <label for={id}>{label}</label>
      <div class="joined">
        <input
          id={id}
          ref={input}
          dir="auto"
          value={text.value}
          aria-invalid={refused.value === undefined ? undefined : 'true'}
          aria-describedby={refused.value === undefined ? undefined : `${id}-fault`}
          onInput={(event) => void (text.value = event.currentTarget.value)}
        />
        <button type="submit">{name}</button>
      </div>
      {refused.value === undefined ? (
        <ActionProblem of={action} />
      ) : (
        <div role="alert">
          <FieldNotes id={id} fault={refused.value} />
        </div>
      )}
    </form>
  );
}
