/**
 * Lets the tabs of one browser share a stream. Over HTTP/1.1 a browser has six connections to a server, so a stream for each of eight tabs
 * would leave none for requests. Web Locks and shared workers would do this, but are not there on plain http or under Trusted Types.
 */
type Message =
  | { kind: 'here'; id: string; topics: readonly string[] }
  | { kind: 'gone'; id: string }
  | { kind: 'event'; topic: string; data: unknown }
  | { kind: 'state'; live: boolean };

export type Tabs = {
  /** Tells the other tabs which topics this one shows; none while it is hidden. */
  show(topics: readonly string[]): void;
  /** Sends an event of the stream to the other tabs. */
  pass(topic: string, data: unknown): void;
  /** Tells the other tabs whether the stream works. */
  passState(live: boolean): void;
};

export type TabsOptions = {
  /** Called with the topics whose stream this tab must hold; with none when another tab holds it. */
  hold(topics: readonly string[]): void;
  /** Called in the tab that holds the stream, to pass on what it knows of topics that another tab begins to show. */
  sendLatest(topics: readonly string[]): void;
  receive(topic: string, data: unknown): void;
  receiveState(live: boolean): void;
};

const helloEveryMs = 2000;
/** A tab that was closed says so; one that crashed is forgotten after this time. */
const forgottenAfterMs = 7000;

export function createTabs(channelName: string, { hold, sendLatest, receive, receiveState }: TabsOptions): Tabs {
  const channel = new BroadcastChannel(channelName);
  // Ids sort by age: the oldest visible tab holds the stream.
  const id = `${String(performance.timeOrigin).padStart(20, '0')} ${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  const others = new Map<string, { topics: readonly string[]; heardMs: number }>();
  let own: readonly string[] = [];
  let held = '';
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it is of this origin
  const send = (message: Message): void => channel.postMessage(message);

  function decide(): void {
    for (const [other, { heardMs }] of others) if (performance.now() - heardMs > forgottenAfterMs) others.delete(other);
    const isOldest = own.length > 0 && [...others.keys()].every((other) => id < other);
    const all = isOldest
      ? [...new Set([...own, ...[...others.values()].flatMap(({ topics }) => topics)])].toSorted()
      : [];
    const key = all.join(' ');
    if (key === held) return;
    held = key;
    hold(all);
  }

  function sayHello(): void {
    if (own.length > 0) send({ kind: 'here', id, topics: own });
    decide();
  }

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'event') receive(data.topic, data.data);
    else if (data.kind === 'state') receiveState(data.live);
    else if (data.kind === 'gone') others.delete(data.id);
    else {
      const before = others.get(data.id)?.topics;
      others.set(data.id, { topics: data.topics, heardMs: performance.now() });
      if (!before) sayHello();
      const added = data.topics.filter((topic) => !before?.includes(topic));
      if (held !== '' && added.length > 0) sendLatest(added);
    }
    decide();
  });
  setInterval(sayHello, helloEveryMs);
  addEventListener('pagehide', () => send({ kind: 'gone', id }));

  return {
    show(topics) {
      own = topics;
      if (own.length > 0) sayHello();
      else {
        send({ kind: 'gone', id });
        decide();
      }
    },
    pass: (topic, data) => send({ kind: 'event', topic, data }),
    passState: (live) => send({ kind: 'state', live }),
  };
}
