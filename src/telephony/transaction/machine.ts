/**
 * The four transaction machines of RFC 3261, section 17, with the corrections of RFC 6026, as pure functions: what happened goes in, what
 * is to be done comes out. They know neither sockets nor clocks, so that a model can play every order, loss and duplication.
 */

/** RFC 3261, section 17.1.1.1: estimated round trip, longest gap between repeated requests, longest life of a message in the network. */
const t1Ms = 500;
const t2Ms = 4000;
const t4Ms = 5000;
/** How long a request is repeated before its transaction gives up. */
export const giveUpMs = 64 * t1Ms;

/** Repeats a message, or ends a state that waits. */
export type Timer = 'repeat' | 'end';

export type Input =
  /** A response to our request. */
  | { type: 'response'; status: number }
  /** The request came again. */
  | { type: 'request' }
  | { type: 'ack' }
  /** We answer the request. */
  | { type: 'answer'; status: number }
  | { type: 'timer'; timer: Timer }
  /** The message could not be sent, or its connection broke. */
  | { type: 'broken' }
  /** The request is not wanted any more: it is not repeated, but its answer is awaited. */
  | { type: 'withdrawn' }
  /** A CANCEL was sent: the INVITE gives up if no final response follows. */
  | { type: 'cancelled' };

export type Output =
  /** Sends the request, or the latest answer, again or for the first time. */
  | { type: 'send' }
  | { type: 'send-ack' }
  /** Starts a timer; one of the same name is replaced. */
  | { type: 'start'; timer: Timer; ms: number }
  | { type: 'stop'; timer: Timer }
  /** Hands on what came in: a response, or the ACK of a final answer. */
  | { type: 'deliver' }
  /** No final response came, or no ACK. */
  | { type: 'timed-out' }
  | { type: 'failed' };

export type Kind = 'invite-client' | 'client' | 'invite-server' | 'server';
export type State = 'calling' | 'proceeding' | 'completed' | 'confirmed' | 'accepted' | 'terminated';

export type Machine = {
  kind: Kind;
  state: State;
  /** TCP and TLS: nothing is repeated, since the transport does. */
  reliable: boolean;
  /** The present gap between repetitions. */
  gapMs: number;
};

export type Step = { machine: Machine; outputs: Output[] };

const send: Output = { type: 'send' };
const sendAck: Output = { type: 'send-ack' };
const deliver: Output = { type: 'deliver' };
const stopRepeating: Output = { type: 'stop', timer: 'repeat' };
const repeatAfter = (ms: number): Output => ({ type: 'start', timer: 'repeat', ms });
const endAfter = (ms: number): Output => ({ type: 'start', timer: 'end', ms });

const unchanged = (machine: Machine): Step => ({ machine, outputs: [] });
const enter = (machine: Machine, state: State, outputs: Output[]): Step => ({
  machine: { ...machine, state },
  outputs,
});
const terminate = (machine: Machine, outputs: Output[] = []): Step =>
  enter(machine, 'terminated', [...outputs, stopRepeating, { type: 'stop', timer: 'end' }]);

/** A state that only absorbs repetitions: left after `ms`, and at once where the transport repeats nothing. */
const linger = (machine: Machine, state: State, outputs: Output[], ms: number): Step =>
  machine.reliable ? terminate(machine, outputs) : enter(machine, state, [...outputs, stopRepeating, endAfter(ms)]);

/** A new transaction. A client sends its request at once; a server waits for the answer. */
export function begin(kind: Kind, reliable: boolean): Step {
  const isServer = kind === 'invite-server' || kind === 'server';
  const machine: Machine = { kind, state: isServer ? 'proceeding' : 'calling', reliable, gapMs: t1Ms };
  if (isServer) return unchanged(machine);
  return { machine, outputs: [send, ...(reliable ? [] : [repeatAfter(t1Ms)]), endAfter(giveUpMs)] };
}

export function step(machine: Machine, input: Input): Step {
  if (machine.state === 'terminated') return unchanged(machine);
  switch (machine.kind) {
    case 'invite-client':
      return inviteClient(machine, input);
    case 'client':
      return client(machine, input);
    case 'invite-server':
      return inviteServer(machine, input);
    case 'server':
      return server(machine, input);
  }
}

const isWaiting = ({ state }: Machine): boolean => state === 'calling' || state === 'proceeding';

function repeated(machine: Machine, maxGapMs: number): Step {
  const gapMs = Math.min(machine.gapMs * 2, maxGapMs);
  return { machine: { ...machine, gapMs }, outputs: [send, repeatAfter(gapMs)] };
}

/** RFC 3261, section 17.1.1, and RFC 6026, section 7.2: timers A (repeat), B, D and M (end). */
function inviteClient(machine: Machine, input: Input): Step {
  if (input.type === 'response') return inviteResponse(machine, input.status);
  if (input.type === 'broken') {
    return isWaiting(machine) ? terminate(machine, [{ type: 'failed' }]) : terminate(machine);
  }
  if (input.type === 'withdrawn') return enter(machine, machine.state, [stopRepeating]);
  if (input.type === 'cancelled')
    return isWaiting(machine) ? enter(machine, machine.state, [endAfter(giveUpMs)]) : unchanged(machine);
  if (input.type !== 'timer') return unchanged(machine);
  if (input.timer === 'repeat') return machine.state === 'calling' ? repeated(machine, giveUpMs) : unchanged(machine);
  return terminate(machine, isWaiting(machine) ? [{ type: 'timed-out' }] : []);
}

function inviteResponse(machine: Machine, status: number): Step {
  if (machine.state === 'accepted')
    return status >= 200 && status < 300 ? enter(machine, 'accepted', [deliver]) : unchanged(machine);
  if (machine.state === 'completed') return status >= 300 ? enter(machine, 'completed', [sendAck]) : unchanged(machine);
  if (status < 200) {
    // From the first provisional response on, no timer of the transaction ends the call; the dialog's ring time-out cancels it.
    const stops: Output[] = machine.state === 'calling' ? [stopRepeating, { type: 'stop', timer: 'end' }] : [];
    return enter(machine, 'proceeding', [deliver, ...stops]);
  }
  if (status < 300) return enter(machine, 'accepted', [deliver, stopRepeating, endAfter(giveUpMs)]);
  return linger(machine, 'completed', [sendAck, deliver], giveUpMs);
}

/** RFC 3261, section 17.1.2: timers E (repeat), F and K (end). */
function client(machine: Machine, input: Input): Step {
  if (!isWaiting(machine))
    return input.type === 'timer' && input.timer === 'end' ? terminate(machine) : unchanged(machine);
  if (input.type === 'broken') return terminate(machine, [{ type: 'failed' }]);
  if (input.type === 'timer') {
    if (input.timer === 'end') return terminate(machine, [{ type: 'timed-out' }]);
    return machine.state === 'calling' ? repeated(machine, t2Ms) : { machine, outputs: [send, repeatAfter(t2Ms)] };
  }
  if (input.type !== 'response') return unchanged(machine);
  if (input.status < 200) return enter(machine, 'proceeding', [deliver]);
  return linger(machine, 'completed', [deliver], t4Ms);
}

/** RFC 3261, section 17.2.1, and RFC 6026, section 7.1: timers G (repeat), H, I and L (end). The dialog repeats 2xx itself. */
function inviteServer(machine: Machine, input: Input): Step {
  switch (machine.state) {
    case 'calling':
    case 'proceeding':
      if (input.type === 'request') return { machine, outputs: [send] };
      return input.type === 'answer' ? inviteAnswer(machine, input.status) : unchanged(machine);
    case 'accepted':
      if (input.type === 'ack') return { machine, outputs: [deliver] };
      if (input.type === 'answer' && input.status >= 200 && input.status < 300) return { machine, outputs: [send] };
      break;
    case 'completed':
      if (input.type === 'request') return { machine, outputs: [send] };
      if (input.type === 'ack') return linger(machine, 'confirmed', [], t4Ms);
      if (input.type === 'timer' && input.timer === 'repeat') return repeated(machine, t2Ms);
      if (input.type === 'timer') return terminate(machine, [{ type: 'timed-out' }]);
      if (input.type === 'broken') return terminate(machine, [{ type: 'failed' }]);
      break;
    case 'confirmed':
    case 'terminated':
      break;
  }
  return input.type === 'timer' && input.timer === 'end' ? terminate(machine) : unchanged(machine);
}

function inviteAnswer(machine: Machine, status: number): Step {
  if (status < 200) return enter(machine, 'proceeding', [send]);
  if (status < 300) return enter(machine, 'accepted', [send, endAfter(giveUpMs)]);
  return enter(machine, 'completed', [send, ...(machine.reliable ? [] : [repeatAfter(t1Ms)]), endAfter(giveUpMs)]);
}

/** RFC 3261, section 17.2.2: timer J (end). */
function server(machine: Machine, input: Input): Step {
  if (input.type === 'request') return { machine, outputs: [send] };
  if (machine.state === 'completed') {
    return input.type === 'timer' && input.timer === 'end' ? terminate(machine) : unchanged(machine);
  }
  if (input.type !== 'answer') return unchanged(machine);
  if (input.status < 200) return enter(machine, 'proceeding', [send]);
  return linger(machine, 'completed', [send], giveUpMs);
}
