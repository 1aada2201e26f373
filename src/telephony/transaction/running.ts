import { after } from '../../base/clock.ts';
import { begin, type Input, type Kind, type Output, type Step, step, type Timer } from './machine.ts';

/** The actions that the machine asks for, except its timers, which run here. */
export type Action = Exclude<Output, { type: 'start' } | { type: 'stop' }>;

/** Runs a machine with its timers in real time. `handle` tells it what happened; after `stop` nothing happens any more. */
export function runMachine(
  kind: Kind,
  reliable: boolean,
  act: (action: Action, input: Input | undefined) => void,
  onEnd: () => void,
) {
  const timers = new Map<Timer, () => void>();
  let machine = begin(kind, reliable).machine;

  const stopTimer = (timer: Timer): void => {
    timers.get(timer)?.();
    timers.delete(timer);
  };
  function apply(next: Step, input: Input | undefined): void {
    machine = next.machine;
    for (const output of next.outputs) {
      if (output.type === 'stop') stopTimer(output.timer);
      else if (output.type === 'start') {
        const { timer, ms } = output;
        stopTimer(timer);
        timers.set(
          timer,
          after(ms, () => handle({ type: 'timer', timer })),
        );
      } else act(output, input);
    }
    if (machine.state === 'terminated') onEnd();
  }
  const handle = (input: Input): void => apply(step(machine, input), input);

  return {
    handle,
    begin: () => apply(begin(kind, reliable), undefined),
    stop(): void {
      for (const timer of [...timers.keys()]) stopTimer(timer);
    },
  };
}
