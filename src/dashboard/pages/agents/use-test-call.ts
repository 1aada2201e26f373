import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { api, createTestCall, ParleyError } from '../../client.ts';
import type { Ended, Said, Sound, TestCall } from '../../sound/index.ts';
import { type Action, useAction } from '../../state/action.ts';
import { announceQuietly } from '../../state/announce.ts';
import { talking } from '../../text/talking.ts';

/** An entry of the conversation: something that was said, or a tool that the agent used. */
export type Entry = Said | { role: 'tool'; text: string; timestamp_ms: number };

type CallState = 'idle' | 'starting' | 'microphone' | 'live' | 'over';

/** A test call from this page. One at a time; it ends when the page is left. */
export type VoiceCall = {
  state: ReadonlySignal<CallState>;
  /** Why the person can only type; undefined with a microphone. */
  typesOnly: ReadonlySignal<string | undefined>;
  entries: ReadonlySignal<readonly Entry[]>;
  /** The call in the list of calls; undefined before it began. */
  callId: ReadonlySignal<string | undefined>;
  /** How it ended, in a sentence. */
  end: ReadonlySignal<string | undefined>;
  /** Nothing is set that could speak: one can only type. Known once it was tried. */
  isMute: ReadonlySignal<boolean>;
  action: Action;
  /** The microphone is switched off for now. */
  isMuted: ReadonlySignal<boolean>;
  /** Switches the microphone off and on. */
  toggleMute(): void;
  /** To be called on a click: browsers give sound and microphone only then. */
  start(): Promise<void>;
  /** Returns whether there is a call to type in. */
  type(text: string): boolean;
  hangUp(): void;
};

/** The ticket of a call holds for 30 s; somebody who has not decided about the microphone by then types at first. */
const microphoneWaitMs = 20_000;

async function askForMicrophone(): Promise<MediaStream | undefined> {
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
  // Undefined in insecure contexts.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  return devices?.getUserMedia({ audio }).catch(() => undefined);
}

/** The microphone, or undefined if there is none or nobody has decided in time; it is given back if it comes later. */
async function microphoneInTime(): Promise<MediaStream | undefined> {
  const asked = askForMicrophone();
  let isLate = false;
  let timer: number | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      isLate = true;
      resolve(undefined);
    }, microphoneWaitMs);
  });
  void asked.then((stream) => void (isLate && stopped(stream)));
  const microphone = await Promise.race([asked, late]);
  clearTimeout(timer);
  return microphone;
}

const stopped = (stream: MediaStream | undefined): void => stream?.getTracks().forEach((track) => track.stop());

function endOf(end: Ended | undefined): string {
  if (!end) return talking.broke;
  if (end.error_message !== null) return talking.broken(end.error_message);
  return talking.over[end.disconnect_reason ?? ''] ?? talking.broke;
}

/** An answer that was interrupted is said again, shorter. */
function withSaid(entries: readonly Entry[], said: Entry): Entry[] {
  const others = entries.filter(({ role, timestamp_ms: at }) => role !== said.role || at !== said.timestamp_ms);
  return [...others, said].toSorted((a, b) => a.timestamp_ms - b.timestamp_ms);
}

type Open = { sound: Sound; microphone: MediaStream | undefined; call: TestCall };

type State = {
  state: Signal<CallState>;
  typesOnly: Signal<string | undefined>;
  entries: Signal<readonly Entry[]>;
  callId: Signal<string | undefined>;
  end: Signal<string | undefined>;
  isMute: Signal<boolean>;
  isMuted: Signal<boolean>;
};

const lacksEngine = (error: unknown): boolean =>
  error instanceof ParleyError && error.status === 409 && error.message.includes('speech.engine');

/** Begins a call and resolves once it is connected, or with nothing where nothing speaks; `isWanted`: whether somebody still waits for it. */
async function begin(
  agentId: string,
  { state, typesOnly, entries, callId, end, isMute }: State,
  idempotencyKey: string,
  isWanted: () => boolean,
): Promise<Open | undefined> {
  const { connectTestCall, openSound } = await import('../../sound/index.ts');
  const sound = await openSound();
  let microphone: MediaStream | undefined;
  try {
    const { data } = await createTestCall(api, { params: { id: agentId }, body: {}, idempotencyKey });
    callId.value = data.call_session_id;
    state.value = 'microphone';
    if (sound.listen) microphone = await microphoneInTime();
    typesOnly.value = sound.listen ? (microphone ? undefined : talking.refused) : talking.insecure;
    if (!isWanted()) throw new DOMException('The page was left.', 'AbortError');
    const opening = { callId: data.call_session_id, ticket: data.ticket, sound, microphone };
    let latestMs = 0;
    const add = (entry: Entry): void => {
      latestMs = Math.max(latestMs, entry.timestamp_ms);
      entries.value = withSaid(entries.value, entry);
    };
    const call = connectTestCall(opening, {
      answered: () => void (state.value = 'live'),
      said: ({ role, text, timestamp_ms }) => add({ role, text, timestamp_ms }),
      tool: (name) => add({ role: 'tool', text: talking.tool(name), timestamp_ms: latestMs + 1 }),
      ended(how) {
        sound.close();
        stopped(microphone);
        end.value = endOf(how);
        state.value = 'over';
        announceQuietly(end.value);
      },
    });
    return { sound, microphone, call };
  } catch (error) {
    sound.close();
    stopped(microphone);
    if (!lacksEngine(error)) throw error;
    isMute.value = true;
    return undefined;
  }
}

export function useTestCall(agentId: string): VoiceCall {
  const signals: State = {
    state: useSignal<CallState>('idle'),
    typesOnly: useSignal<string | undefined>(undefined),
    entries: useSignal<readonly Entry[]>([]),
    callId: useSignal<string | undefined>(undefined),
    end: useSignal<string | undefined>(undefined),
    isMute: useSignal(false),
    isMuted: useSignal(false),
  };
  const open = useRef<Open | undefined>(undefined);
  const isLeft = useRef(false);
  const action = useAction();
  useEffect(
    () => () => {
      isLeft.current = true;
      open.current?.call.hangUp();
    },
    [],
  );
  const { state, entries, end, callId, typesOnly } = signals;
  return {
    ...signals,
    action,
    async start() {
      if (state.value !== 'idle' && state.value !== 'over') return;
      state.value = 'starting';
      signals.isMuted.value = false;
      [entries.value, end.value, callId.value, typesOnly.value] = [[], undefined, undefined, undefined];
      const isBegun = await action.run(async ({ idempotencyKey }) => {
        open.current = await begin(agentId, signals, idempotencyKey, () => !isLeft.current);
      });
      if (!isBegun || signals.isMute.value) state.value = 'idle';
    },
    toggleMute() {
      signals.isMuted.value = !signals.isMuted.value;
      for (const track of open.current?.microphone?.getTracks() ?? []) track.enabled = !signals.isMuted.value;
    },
    type(text) {
      open.current?.call.type(text);
      return open.current !== undefined;
    },
    hangUp: () => open.current?.call.hangUp(),
  };
}
