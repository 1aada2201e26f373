/**
 * A registration (RFC 3261, section 10) as a pure function: what happened goes in, what is to be done comes out. It knows neither sockets nor
 * clocks, so that a model can play every order of answers, losses and changes.
 */

export type RegistrationState = 'registering' | 'registered' | 'refused' | 'unreachable';

export type Input =
  | { type: 'begin' }
  /** A final response to the REGISTER in flight. */
  | {
      type: 'response';
      status: number;
      reason: string;
      /** Whether the challenge in it can be answered. */
      canAnswer: boolean;
      /** For how long the registrar keeps our Contact; null if it does not say so. */
      grantedSec: number | null;
      /** `Min-Expires` of a 423. */
      minExpiresSec: number | null;
      /** The registrar sees us at another address than the one in our Contact. */
      hasMoved: boolean;
      hasNextTarget: boolean;
    }
  /** The REGISTER in flight gets no response: none came, or it could not be sent. */
  | { type: 'failed'; reason: string; hasNextTarget: boolean }
  /** The connection broke over which the registrar reaches us. */
  | { type: 'broken'; reason: string }
  /** The time of `wait` is over. */
  | { type: 'due' }
  /** Something about the account changed, so that trying again now may help. */
  | { type: 'retry' }
  | { type: 'end' };

export type Output =
  /** Sends a REGISTER: to the first target of the trunk, which is looked up anew, to the one in use, or to the one after it. */
  | { type: 'send'; expiresSec: number; target: 'first' | 'same' | 'next' }
  /** Forgets the REGISTER in flight. */
  | { type: 'abandon' }
  /** Calls back with `due`; replaces an earlier wait. */
  | { type: 'wait'; ms: number }
  | { type: 'stop-waiting' }
  | { type: 'changed' }
  | { type: 'ended' };

export type Machine = {
  step: 'asking' | 'waiting' | 'removing' | 'ended';
  state: RegistrationState;
  /** Code and phrase of the last answer, or the fault. */
  detail: string | null;
  /** How long the registrar keeps our Contact, from the answer on; null unless registered. */
  grantedSec: number | null;
  /** How long the next REGISTER asks for. */
  expiresSec: number;
  /** Attempts in a row that did not reach the registrar. */
  failures: number;
  /** Whether the registrar may know our Contact, so that it must be removed at the end. */
  mayBeBound: boolean;
  /** What was done in answer to responses of this attempt, so that a registrar cannot make us ask for ever. */
  hasRaised: boolean;
  hasMoved: boolean;
};

export type Step = { machine: Machine; outputs: Output[] };

const firstRetryMs = 30_000;
const maxRetryMs = 600_000;
/** A registrar that keeps Contacts for a second must not be asked more often than this. */
const minRefreshMs = 500;
/** A longer `Min-Expires` is a mistake of the registrar. */
const maxExpiresSec = 604_800;

export const newMachine = (expiresSec: number): Machine => ({
  step: 'waiting',
  state: 'registering',
  detail: null,
  grantedSec: null,
  expiresSec,
  failures: 0,
  mayBeBound: false,
  hasRaised: false,
  hasMoved: false,
});

/** The wait after the nth attempt in a row that failed: 30 s, doubling to 10 minutes, 20 % more or less. `draw` is from 0 to 1. */
const retryMs = (failures: number, draw: number): number =>
  Math.round(Math.min(maxRetryMs, firstRetryMs * 2 ** (failures - 1)) * (0.8 + 0.4 * draw));

const codeAndPhrase = ({ status, reason }: { status: number; reason: string }): string =>
  `SIP ${status} ${reason}`.trimEnd();

/** A refusal that may pass: the registrar is overloaded or did not come to an answer. */
const isTemporary = (status: number): boolean => (status >= 500 && status < 600) || [408, 429, 480].includes(status);

/** `draw` is random, from 0 to 1. */
export function step(machine: Machine, input: Input, draw: number): Step {
  if (machine.step === 'ended') return { machine, outputs: [] };
  if (input.type === 'end') return remove(machine);
  if (machine.step === 'removing') return whileRemoving(machine, input);
  if (input.type === 'begin' || input.type === 'retry') return ask(machine);
  if (machine.step === 'waiting') return whileWaiting(machine, input, draw);
  if (input.type === 'response') return responded(machine, input, draw);
  return input.type === 'failed' ? failed(machine, input, draw) : { machine, outputs: [] };
}

/** Begins an attempt, in place of the one that may be running. */
function ask(machine: Machine): Step {
  const outputs: Output[] = [machine.step === 'asking' ? { type: 'abandon' } : { type: 'stop-waiting' }];
  const state = machine.state === 'registered' ? 'registered' : 'registering';
  const next: Machine = { ...machine, step: 'asking', state, hasRaised: false, hasMoved: false, mayBeBound: true };
  if (state !== machine.state) outputs.push({ type: 'changed' });
  return { machine: next, outputs: [...outputs, send(next, 'first')] };
}

const send = ({ expiresSec }: Pick<Machine, 'expiresSec'>, target: 'first' | 'same' | 'next'): Output => ({
  type: 'send',
  expiresSec,
  target,
});

function whileWaiting(machine: Machine, input: Input, draw: number): Step {
  if (input.type === 'due') return ask(machine);
  if (input.type === 'broken' && machine.state === 'registered') return unreachable(machine, input.reason, draw);
  return { machine, outputs: [] };
}

type Response = Extract<Input, { type: 'response' }>;

function responded(machine: Machine, response: Response, draw: number): Step {
  const { status, minExpiresSec } = response;
  const detail = codeAndPhrase(response);
  if (status < 300) return granted(machine, response, detail);
  if (status === 401 || status === 407) {
    return response.canAnswer ? { machine, outputs: [send(machine, 'same')] } : refused(machine, detail);
  }
  const isLonger = minExpiresSec !== null && minExpiresSec > machine.expiresSec && minExpiresSec <= maxExpiresSec;
  if (status === 423 && isLonger && !machine.hasRaised) {
    const raised = { ...machine, expiresSec: minExpiresSec, hasRaised: true };
    return { machine: raised, outputs: [send(raised, 'same')] };
  }
  if (status === 503 && response.hasNextTarget) return { machine, outputs: [send(machine, 'next')] };
  return isTemporary(status) ? unreachable(machine, detail, draw) : refused(machine, detail);
}

function granted(machine: Machine, { grantedSec, hasMoved }: Response, detail: string): Step {
  // The registrar's binding is one that nobody reaches: it is replaced at once, but once an attempt, for a NAT that changes with each packet.
  if (hasMoved && !machine.hasMoved) {
    const moved = { ...machine, hasMoved: true };
    return { machine: moved, outputs: [send(moved, 'same')] };
  }
  const keptSec = grantedSec ?? machine.expiresSec;
  if (keptSec === 0) return refused(machine, `${detail}, but it does not keep our Contact`);
  const next: Machine = { ...machine, step: 'waiting', state: 'registered', detail, grantedSec: keptSec, failures: 0 };
  const ms = Math.max(minRefreshMs, (keptSec * 1000) / 2);
  return { machine: next, outputs: [{ type: 'changed' }, { type: 'wait', ms }] };
}

function failed(machine: Machine, { reason, hasNextTarget }: Extract<Input, { type: 'failed' }>, draw: number): Step {
  return hasNextTarget ? { machine, outputs: [send(machine, 'next')] } : unreachable(machine, reason, draw);
}

function unreachable(machine: Machine, detail: string, draw: number): Step {
  const failures = machine.failures + 1;
  const next: Machine = { ...machine, step: 'waiting', state: 'unreachable', detail, grantedSec: null, failures };
  return { machine: next, outputs: [{ type: 'changed' }, { type: 'wait', ms: retryMs(failures, draw) }] };
}

function refused(machine: Machine, detail: string): Step {
  const next: Machine = { ...machine, step: 'waiting', state: 'refused', detail, grantedSec: null, failures: 0 };
  return { machine: next, outputs: [{ type: 'changed' }, { type: 'wait', ms: maxRetryMs }] };
}

/** `Expires: 0`, where a binding may be left. */
function remove(machine: Machine): Step {
  if (machine.step === 'removing') return { machine, outputs: [] };
  const cease: Output = machine.step === 'asking' ? { type: 'abandon' } : { type: 'stop-waiting' };
  if (!machine.mayBeBound || machine.state === 'refused') {
    return { machine: { ...machine, step: 'ended' }, outputs: [cease, { type: 'ended' }] };
  }
  const next: Machine = { ...machine, step: 'removing', expiresSec: 0 };
  return { machine: next, outputs: [cease, send(next, 'same')] };
}

/** One answer to a challenge; whatever else comes, the binding is gone or runs out. */
function whileRemoving(machine: Machine, input: Input): Step {
  if (input.type === 'response' && input.canAnswer && (input.status === 401 || input.status === 407)) {
    return { machine, outputs: [send(machine, 'same')] };
  }
  if (input.type !== 'response' && input.type !== 'failed') return { machine, outputs: [] };
  return { machine: { ...machine, step: 'ended' }, outputs: [{ type: 'ended' }] };
}
