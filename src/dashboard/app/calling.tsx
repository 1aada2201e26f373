import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { api, getCalling, stopCalling } from '../client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { ActionProblem, Loaded } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { useAction } from '../state/action.ts';
import { isStopped, resumeAll, tellStopped, useCallingState } from '../state/calling.ts';
import { useLive } from '../state/live.ts';
import { useResource } from '../state/resource.ts';
import { isNarrow } from '../state/screen.ts';
import { isMember } from '../state/session.ts';
import { calling } from '../text/calling.ts';
import { common } from '../text/en.ts';

/** Whether calling is stopped, and the button that stops it, or goes on as it was. */
export function CallingControl({ ask }: { ask: () => void }) {
  useCallingState();
  const action = useAction();
  const hidden = isNarrow.value ? 'visually-hidden' : undefined;
  return (
    <>
      {isStopped.value === true && (
        <Status value="failing" pill>
          <span class={hidden}>{calling.isStopped}</span>
        </Status>
      )}
      {isMember.value && isStopped.value === true && (
        <button
          type="button"
          class="primary"
          title={action.problem ?? calling.resume}
          onClick={() => void action.run(({ idempotencyKey }) => resumeAll(idempotencyKey))}
        >
          <Icon name="go" />
          <span class={hidden}>{calling.resume}</span>
        </button>
      )}
      {isMember.value && isStopped.value !== true && (
        <button type="button" class="stop" title={calling.stop} onClick={ask}>
          <Icon name="stop" />
          <span class={hidden}>{calling.stop}</span>
        </button>
      )}
    </>
  );
}

type HangUp = 'ringing' | 'all' | 'none';
const choices: readonly HangUp[] = ['ringing', 'all', 'none'];

/** Asks once, saying how much is stopped. */
export function StopDialog({ close }: { close: () => void }) {
  const state = useResource('calling', async (signal) => (await getCalling(api, { signal })).data);
  const live = useLive<{ running_campaigns: number }>('overview');
  const hangUp = useSignal<HangUp>('ringing');
  const reason = useSignal('');
  const action = useAction();
  const id = useId();
  const stop = async (): Promise<void> => {
    const why = reason.value.trim();
    const isDone = await action.run(async ({ idempotencyKey }) => {
      const body = { hang_up: hangUp.value, ...(why === '' ? {} : { reason: why }) };
      tellStopped((await stopCalling(api, { body, idempotencyKey })).data);
    });
    if (isDone) close();
  };
  return (
    <Dialog title={calling.title} close={close} bare>
      <p>
        <strong>{calling.campaigns(live?.running_campaigns ?? 0)}</strong>
      </p>
      <Loaded of={state}>
        {({ in_flight: { ringing, talking } }) => (
          <>
            <p>{calling.inFlight(ringing, talking)}</p>
            <fieldset class="stack tight">
              <legend class="visually-hidden">{calling.hangUp}</legend>
              {choices.map((choice) => (
                <label key={choice} class="radio">
                  <input
                    type="radio"
                    name={id}
                    checked={hangUp.value === choice}
                    onChange={() => void (hangUp.value = choice)}
                  />
                  {calling.options[choice](choice === 'all' ? ringing + talking : talking)}
                </label>
              ))}
            </fieldset>
          </>
        )}
      </Loaded>
      <div class="field">
        <label for={`${id}-reason`}>{calling.reason}</label>
        <input
          id={`${id}-reason`}
          maxLength={500}
          aria-describedby={`${id}-hint`}
          value={reason.value}
          onInput={(event) => void (reason.value = event.currentTarget.value)}
        />
        <p class="hint" id={`${id}-hint`}>
          {calling.reasonHint}
        </p>
      </div>
      <p class="quiet small">{calling.after}</p>
      <ActionProblem of={action} />
      <div class="buttons">
        <button type="button" onClick={close}>
          {common.cancel}
        </button>
        <button type="button" class="danger primary" data-first-focus onClick={() => void stop()}>
          {calling.stop}
        </button>
      </div>
    </Dialog>
  );
}
