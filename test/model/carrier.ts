import { carrierDriver, type CarrierDriver } from '../../src/features/calls/carriers/driver.ts';
import type { DialAnswer } from '../../src/features/calls/carriers/carrier.ts';
import type { Call } from '../../src/features/calls/call.ts';

/**
 * How the carrier behaves: it works, refuses the number, is out of reach in one of several ways, or the server dies while it dials.
 * `taken`: the carrier has the call although the server learns nothing of it.
 */
export const modes = [
  'works',
  'refuses',
  'unreachable',
  'full',
  'lost',
  'taken',
  'mute',
  'dies',
  'dies taken',
] as const;
export type Mode = (typeof modes)[number];

/** A carrier for tests that outlives the servers: it records every dial and knows the calls that it took. */
export type ModelCarrier = {
  driver: CarrierDriver;
  mode: Mode;
  /** A phone for which the carrier is always out of reach. */
  unreachablePhone: string | null;
  /** The calls that the carrier took and that have not ended. */
  live: Map<string, Call>;
  /** Calls that the carrier did not take, while parley does not know yet whether it did. */
  doubtful: Map<string, Call>;
  /** Ignores the dials of earlier servers from now on. */
  nextServer(): void;
  /** Resolves when a dial hangs forever, because the test is about to kill the server. */
  died: Promise<void>;
};

type Listener = {
  dialed(call: Call): void;
  /** Called when the carrier was asked about a call during whose dialing the server died, and had not taken the call. */
  unknown(callId: string): void;
  refused(call: Call): void;
  /** Called when a call could not be handed over. `nothingThere`: no connection was made, so other calls would fail, too. */
  outOfReach(call: Call, nothingThere: boolean): void;
  /** Called when the carrier was out of reach, and certainly does not have the call. */
  notTaken(call: Call): void;
  /** Called when the carrier took the call, or refused its number. */
  handedOver(call: Call): void;
  /** Called when the carrier said that it has the call, at the instant of the question. */
  known(call: Call, askedAt: number): void;
};

export function createModelCarrier(listener: Listener): ModelCarrier {
  const known = new Map<string, Call>();
  const lost = new Set<string>();
  let server = 0;
  let death = Promise.withResolvers<void>();
  const model: ModelCarrier = {
    mode: 'works',
    unreachablePhone: null,
    live: new Map(),
    doubtful: new Map(),
    nextServer() {
      server += 1;
      death = Promise.withResolvers<void>();
    },
    get died() {
      return death.promise;
    },
    driver: carrierDriver({
      name: 'model',
      summary: 'a carrier for tests',
      simulated: true,
      settings: {},
      create() {
        const mine = server;
        return {
          carrier: {
            maxRequestMs: 0,
            dial: (_app, call) => (mine === server ? dial(call) : new Promise<never>(() => undefined)),
            knows: ({ clock }, callId) => answer(callId, clock.now()),
            hangUp: () => Promise.resolve(),
          },
          health: () => Promise.resolve({ status: 'ok', message: 'a model' }),
        };
      },
    }),
  };

  function take(call: Call): void {
    known.set(call.id, call);
    model.live.set(call.id, call);
  }

  function answer(callId: string, now: number): Promise<boolean> {
    if (model.mode === 'mute') return Promise.reject(new Error('It does not answer questions.'));
    const call = known.get(callId);
    const doubted = model.doubtful.get(callId);
    model.doubtful.delete(callId);
    if (call) listener.known(call, now);
    else if (lost.delete(callId)) listener.unknown(callId);
    else if (doubted) listener.notTaken(doubted);
    return Promise.resolve(call !== undefined);
  }

  async function dial(call: Call): Promise<DialAnswer> {
    listener.dialed(call);
    await Promise.resolve();
    const mode = call.to === model.unreachablePhone && model.mode === 'works' ? 'unreachable' : model.mode;
    if (mode === 'taken' || mode === 'works' || mode === 'dies taken') take(call);
    if (mode === 'works' || mode === 'refuses') listener.handedOver(call);
    if (mode === 'works') return { accepted: true };
    if (mode === 'refuses') {
      listener.refused(call);
      return { accepted: false, reason: 'Not this number.' };
    }
    if (mode.startsWith('dies')) {
      if (mode === 'dies') {
        lost.add(call.id);
        model.doubtful.set(call.id, call);
      }
      death.resolve();
      return new Promise<never>(() => undefined);
    }
    const nothingThere = mode === 'unreachable';
    listener.outOfReach(call, nothingThere);
    if (nothingThere || mode === 'full') {
      listener.notTaken(call);
      return { accepted: false, outOfReach: true, reason: 'Out of reach.', nothingThere };
    }
    if (mode !== 'taken') model.doubtful.set(call.id, call);
    throw new Error('It was cut off.');
  }
  return model;
}
