import assert from 'node:assert/strict';
import type { Client, Fate } from './client.ts';
import type { Random } from './random.ts';
import type { Tally } from './waiting.ts';

/**
 * What a row may hold: what was acknowledged last, or what was sent since and whose fate nobody knows. Null: no such row.
 */
export type Beliefs = Map<string, Set<string | null>>;

export type Written = {
  /** Contacts by id, with their company. */
  contacts: Beliefs;
  /** Ids of notes. */
  notes: Set<string>;
  /** Phones of acknowledged campaign contacts. */
  campaignContacts: Set<string>;
  /** Ids of calls placed outside the campaign. */
  calls: Set<string>;
};

export type Target = { campaignId: string; agentId: string; from: string; keeperId: string };

/**
 * Somebody who writes all the time, one request after the other, and remembers what was acknowledged. No two requests make the same:
 * e-mails, notes and telephone numbers are used once.
 */
export type Writer = {
  written: Written;
  /** How many joined the campaign or were called, as far as known. */
  called(): number;
  /** Finishes the write that is under way, and writes no more. */
  stop(): Promise<void>;
};

export type WriterOptions = {
  client: Client;
  random: Random;
  answers: Tally;
  target: Target;
  /** Distinguishes the numbers that it calls from other writers'. */
  number: number;
  /** Whether more people are to be called just now. */
  hasRoom(): boolean;
  /** What it does about a 503; where it expects none it throws. All lines in use (409) is no matter. */
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

  /** What the simulated carrier makes of a call is in the last two digits; 08 would stay silent for minutes. */
  const aPhone = (): string => {
    const ending = random.pick([0, 1, 2, 3, 4, 5, 6, 7, 9, random.between(10, 99), random.between(10, 99)]);
    phones += 1;
    return `+4930${number}${String(phones).padStart(6, '0')}${String(ending).padStart(2, '0')}`;
  };

  /** With an Idempotency-Key it is repeated until its fate is known; without one, never. */
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

  /** Changes or deletes a contact: its old state may stand until the new one is acknowledged. */
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
  writing.catch(() => undefined); // told by stop
  return {
    written,
    called: () => written.campaignContacts.size + written.calls.size,
    stop() {
      stopping = true;
      return writing;
    },
  };
}
