import assert from 'node:assert/strict';
import type { Client, Fate } from './client.ts';
import type { Random } from './random.ts';
import type { Tally } from './waiting.ts';

/**
 * The possible values of each row: the last acknowledged one, and those sent since whose fate is unknown. Null: no such row.
 */
export type PossibleValues = Map<string, Set<string | null>>;

export type Written = {
  /** Contacts by id, with their company. */
  contacts: PossibleValues;
  /** Ids of notes. */
  notes: Set<string>;
  /** Phones of acknowledged campaign contacts. */
  campaignContacts: Set<string>;
  /** Ids of calls placed outside the campaign. */
  calls: Set<string>;
};

export type Target = { campaignId: string; agentId: string; from: string; keeperId: string };

/**
 * Sends writes all the time, one after the other, and remembers which were acknowledged. Each email address, note and phone number is
 * used only once, so that a request that takes effect twice is noticed.
 */
export type Writer = {
  written: Written;
  /** Number of acknowledged campaign contacts and calls. */
  called(): number;
  /** Finishes the current write and sends no more. */
  stop(): Promise<void>;
};

export type WriterOptions = {
  client: Client;
  random: Random;
  answers: Tally;
  target: Target;
  /** Makes the phone numbers of this writer differ from those of other writers. */
  number: number;
  /** Whether the writer may add more calls now. */
  hasRoom(): boolean;
  /** Called on a 503; throws if the test expects none. A 409 for a call, because all capacity is in use, is normal. */
  onUnavailable(): Promise<void>;
};

export function startWriter({
  client,
  random,
  answers,
  target,
  number,
  hasRoom,
  onUnavailable,
}: WriterOptions): Writer {
  const written: Written = { contacts: new Map(), notes: new Set(), campaignContacts: new Set(), calls: new Set() };
  let stopping = false;
  let phones = 0;
  let requests = 0;

  /** The last two digits decide the simulated outcome; 08 is left out, because such a call stays silent for minutes. */
  const aPhone = (): string => {
    const ending = random.pick([0, 1, 2, 3, 4, 5, 6, 7, 9, random.between(10, 99), random.between(10, 99)]);
    phones += 1;
    return `+4930${number}${String(phones).padStart(6, '0')}${String(ending).padStart(2, '0')}`;
  };

  /** Repeats a request with an Idempotency-Key until its fate is known; never repeats one without. */
  async function send<D>(method: string, path: string, body?: unknown, key?: string): Promise<D | undefined> {
    let fate: Fate<D> = await client.once<D>(method, path, body, key);
    while (fate === 'unknown' && key !== undefined) fate = await client.once<D>(method, path, body, key);
    if (fate === 'unknown') return undefined;
    answers.add();
    if (fate.status === 200) return fate.data ?? ({} as D);
    const isBusy = path === '/calls' && fate.status === 409;
    assert.ok(isBusy || fate.status === 503, `${method} ${path}: ${JSON.stringify(fate)}`);
    if (fate.status === 503) await onUnavailable();
    return undefined;
  }

  function post<D>(path: string, body: unknown): Promise<D | undefined> {
    requests += 1;
    return send<D>('POST', path, body, random.chance(0.6) ? `${number}-${requests}` : undefined);
  }

  async function create(): Promise<void> {
    const email = `kim.${number}.${requests}@example.com`;
    const contact = await post<{ id: string }>('/contacts/', { company: 'v0', email });
    if (contact) written.contacts.set(contact.id, new Set(['v0']));
  }

  /** Changes or deletes a contact. Until that is acknowledged, the old state is possible as well. */
  async function change(): Promise<void> {
    const known = [...written.contacts].filter(([, states]) => !states.has(null));
    if (known.length === 0) return create();
    const [id, states] = random.pick(known);
    const state = random.chance(0.2) ? null : `v${answers.count()}`;
    states.add(state);
    const body = state === null ? undefined : { company: state };
    const done = await send(state === null ? 'DELETE' : 'PATCH', `/contacts/${id}`, body);
    if (done !== undefined) written.contacts.set(id, new Set([state]));
  }

  async function note(): Promise<void> {
    const made = await post<{ id: string }>(`/contacts/${target.keeperId}/notes`, { content: `${number}.${requests}` });
    if (made) written.notes.add(made.id);
  }

  async function join(): Promise<void> {
    const contacts = Array.from({ length: random.between(1, 4) }, () => ({ first_name: 'Lou', phone: aPhone() }));
    const joined = await post<{ added: number }>(`/campaigns/${target.campaignId}/contacts`, { contacts });
    if (!joined) return;
    assert.equal(joined.added, contacts.length);
    for (const { phone } of contacts) written.campaignContacts.add(phone);
  }

  async function call(): Promise<void> {
    const { agentId: agent_id, from } = target;
    const body = { agent_id, from, to: aPhone(), metadata: { number } };
    const placed = await post<{ call_id: string }>('/calls', body);
    if (placed) written.calls.add(placed.call_id);
  }

  const writes = [create, change, change, note, join, join, join, call] as const;
  async function write(): Promise<void> {
    while (!stopping) {
      const next = random.pick(writes);
      await ((next === join || next === call) && !hasRoom() ? change() : next());
    }
  }

  const writing = write();
  writing.catch(() => undefined); // stop() rethrows it
  return {
    written,
    called: () => written.campaignContacts.size + written.calls.size,
    stop() {
      stopping = true;
      return writing;
    },
  };
}
