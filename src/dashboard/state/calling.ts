import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, resumeCalling, type StoppedCalling } from '../client.ts';
import { calling } from '../text/calling.ts';
import { announce } from './announce.ts';
import { useLive } from './live.ts';

/** Whether all calling is stopped; undefined before the server has said. */
export const isStopped = signal<boolean | undefined>(undefined);

/** Follows the state of calling, for as long as the component is shown. */
export function useCallingState(): void {
  const live = useLive<{ calling_stopped: boolean }>('overview');
  useEffect(() => {
    if (live) isStopped.value = live.calling_stopped;
  }, [live]);
}

export function tellStopped({ campaigns, hung_up: hungUp }: StoppedCalling): void {
  isStopped.value = true;
  announce(calling.stopped(campaigns.length, hungUp));
}

/** Goes on as it was before the stop. */
export async function resumeAll(idempotencyKey: string): Promise<void> {
  const { data } = await resumeCalling(api, { body: {}, idempotencyKey });
  isStopped.value = false;
  announce(calling.resumed(data.resumed.length, data.not_resumed.length));
}
