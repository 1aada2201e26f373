import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, watchLive } from '../client.ts';
import { hearTime, lastHeard } from './clock.ts';
import { session } from './session.ts';
import { createTabs, type Tabs } from './tabs.ts';

/** Changes on the server while the page is in view, from one stream for all visible tabs of this browser. */

/** Since when (the server's time) nothing comes any more; undefined while the stream works or none is wanted. */
export const notLiveSince = signal<string | undefined>(undefined);

type Listener = (data: never) => void;
const listeners = new Map<string, Set<Listener>>();
/** The last event of each topic, for a tab or a part of the page that comes later. */
const latest = new Map<string, unknown>();

/** Topics of one stream, as the server limits them. */
const maxTopics = 8;
/** After the end of a session somebody has to log in; then the stream is opened again. */
const retryMs = 2000;

const pause = (ms: number, over: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    over.addEventListener('abort', () => (clearTimeout(timer), resolve()));
  });

let tabs: Tabs | undefined;
let holding: AbortController | undefined;

function deliver(topic: string, data: unknown): void {
  latest.set(topic, data);
  hearTime((data as { now: string }).now);
  for (const listener of listeners.get(topic) ?? []) listener(data as never);
}

function setLive(live: boolean): void {
  notLiveSince.value = live ? undefined : (notLiveSince.value ?? lastHeard());
}

/** Holds streams of these topics until the next call. */
function hold(topics: readonly string[]): void {
  holding?.abort();
  holding = undefined;
  for (const topic of latest.keys()) if (!topics.includes(topic) && !listeners.has(topic)) latest.delete(topic);
  if (topics.length === 0) return;
  const controller = new AbortController();
  holding = controller;
  for (let at = 0; at < topics.length; at += maxTopics) {
    void follow(topics.slice(at, at + maxTopics), controller.signal);
  }
}

/** Reads a stream, which mends itself. A topic that is gone ends it for good: its page shows why. */
async function follow(topic: readonly string[], over: AbortSignal): Promise<void> {
  const tellState = (live: boolean): void => {
    if (over.aborted) return;
    setLive(live);
    tabs?.passState(live);
  };
  while (!over.aborted) {
    try {
      for await (const { event, data } of watchLive(api, { topic, signal: over, onConnection: tellState })) {
        if (event === 'bye' && data.reason === 'gone') return;
        if (data.topic === undefined || event === 'ended') continue; // the last state came before it
        tabs?.pass(data.topic, data);
        deliver(data.topic, data);
      }
    } catch (error) {
      if (isGone(error)) return;
    }
    tellState(false);
    await pause(retryMs, over);
  }
}

const isGone = (error: unknown): boolean => (error as { status?: number }).status === 404;

function update(): void {
  const user = session.value;
  if (!user || isHeld) return;
  tabs ??= createTabs(`parley live ${user.organization.id} ${user.user.id}`, {
    hold,
    sendLatest(topics) {
      for (const topic of topics) if (latest.has(topic)) tabs?.pass(topic, latest.get(topic));
    },
    receive: deliver,
    receiveState: setLive,
  });
  tabs.show(document.hidden ? [] : [...listeners.keys()]);
}

addEventListener('visibilitychange', update);

/** The shell and the parts of a page begin to listen one after another, and are to share one stream from the start. */
const gatherMs = 100;
let gathering: ReturnType<typeof setTimeout> | undefined;
let isHeld = true;

function updateSoon(): void {
  clearTimeout(gathering);
  gathering = setTimeout(update, gatherMs);
}

/** While the script of a page is on its way, the stream stays as it is: the page will follow something, too. */
export const holdLive = (): void => void (isHeld = true);

export function releaseLive(): void {
  if (!isHeld) return;
  isHeld = false;
  updateSoon();
}

function listen(topic: string, listener: Listener): () => void {
  const set = listeners.get(topic) ?? new Set();
  listeners.set(topic, set.add(listener));
  if (set.size === 1) updateSoon();
  if (latest.has(topic)) listener(latest.get(topic) as never);
  return () => {
    set.delete(listener);
    if (set.size > 0) return;
    listeners.delete(topic);
    if (!holding) latest.delete(topic); // else another tab may still show it
    updateSoon();
  };
}

/** The latest event of a topic while the component is shown; undefined before the first, and without a topic. */
export function useLive<T>(topic: string | undefined): T | undefined {
  const data = useSignal<T | undefined>(undefined);
  useEffect(() => {
    if (topic === undefined) return undefined;
    const stop = listen(topic, (event: T) => void (data.value = event));
    return () => {
      stop();
      data.value = undefined;
    };
  }, [topic]);
  return data.value;
}
