import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { TestClock } from '../../src/base/clock.ts';
import { transact } from '../../src/db/transaction.ts';
import { updateAgent } from '../../src/features/agents/service.ts';
import { type Call, plainOutcome } from '../../src/features/calls/call.ts';
import { placeCall } from '../../src/features/calls/place.ts';
import { endCallById } from '../../src/features/calls/service.ts';
import {
  listCampaignContacts,
  removeCampaignContact,
} from '../../src/features/campaigns/contacts/campaign-contacts.ts';
import { addCampaignContacts } from '../../src/features/campaigns/contacts/joining.ts';
import { createCampaign, getCampaign, updateCampaign } from '../../src/features/campaigns/service.ts';
import type { CampaignChanges } from '../../src/features/campaigns/settings.ts';
import { updateContact } from '../../src/features/contacts/service.ts';
import { addDoNotCall, removeDoNotCall } from '../../src/features/contacts/do-not-call.ts';
import { updateOrganization } from '../../src/features/organizations/service.ts';
import { importNumber, updateNumber } from '../../src/features/numbers/service.ts';
import { advance } from '../../src/jobs/advance.ts';
import { AppError } from '../../src/base/errors.ts';
import { anAgent } from '../support/fixtures.ts';
import { type Client, startTestServer, type TestServer } from '../support/server.ts';
import { createModelCarrier, type Mode, type ModelCarrier } from './carrier.ts';
import {
  type Dial,
  violationOf,
  zoneOfCountry,
  type ModelAttempt,
  type ModelCampaign,
  type ModelContact,
  type ModelState,
} from './rule.ts';

type Drawn<A> = A extends fc.Arbitrary<infer Value> ? Value : never;

const minute = 60_000;
const hour = 60 * minute;
const advanceStepMs = 5 * minute;
const maxCallMs = 20 * minute;
/** After this time parley ends a call whose end was not reported: an hour, the agent's longest call, and a minute's grace. */
const leaseMs = 61 * minute;
const contactCount = 5;
/**
 * In turn of countries with one time zone, far from the campaign's and from each other (Germany, Japan, and Jamaica, which shares its code),
 * and of one with many (United States).
 */
const phoneOf = (index: number): string => {
  const digits = String(index).padStart(6, '0');
  return [`+493010${digits}`, `+81352${digits}`, `+1212${5_550_000 + index}`, `+18769${digits}`][index % 4]!;
};

const index = fc.nat({ max: contactCount - 1 });
const statuses = ['busy', 'no_answer', 'failed', 'voicemail'] as const;
const settings = fc.record(
  {
    hours: fc.constantFrom(null, [8, 10] as const, [9, 17] as const, [12, 13] as const),
    days: fc.constantFrom<number[][]>([1, 2, 3, 4, 5, 6, 7], [2, 4]),
    maxConcurrent: fc.integer({ min: 1, max: 4 }),
    maxCps: fc.integer({ min: 1, max: 3 }),
    retryAttempts: fc.nat({ max: 2 }),
    retryOn: fc.subarray([...statuses]),
    gapMin: fc.constantFrom(1, 60),
    startIn: fc.constantFrom(null, -minute, 10 * minute),
    endIn: fc.constantFrom(null, 5000, 30 * minute, 12 * hour),
    number: fc.nat({ max: 1 }),
  },
  { requiredKeys: [] },
);
type SettingChanges = Drawn<typeof settings>;

/** A step of a history. `settles`: wait until all jobs that the step made due are done before the next step. */
const action = fc.record({
  settles: fc.boolean(),
  do: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant('advance' as const),
        ms: fc.constantFrom(1, 300, 1000, 5000, 5000, minute, minute, hour, 9 * hour),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('end calls' as const),
        status: fc.constantFrom('completed', ...statuses),
        many: fc.integer({ min: 1, max: 3 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('carrier' as const),
        mode: fc.constantFrom<Mode>(
          'works',
          'works',
          'works',
          'refuses',
          'unreachable',
          'full',
          'lost',
          'taken',
          'mute',
        ),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('make unreachable' as const), index }) },
    {
      weight: 3,
      arbitrary: fc.record({
        type: fc.constant('status' as const),
        status: fc.constantFrom(
          'active' as const,
          'active' as const,
          'active' as const,
          'paused' as const,
          'completed' as const,
        ),
      }),
    },
    { weight: 2, arbitrary: fc.record({ type: fc.constant('agent' as const), isActive: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ type: fc.constant('settings' as const), changes: settings }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('list' as const), index, on: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('flag' as const), index, on: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('zone' as const),
        index,
        zone: fc.constantFrom(null, 'Asia/Tokyo', 'America/New_York'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('phone' as const), index }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), index }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('join' as const), index }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('single call' as const) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('call a contact' as const), index }) },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('limits' as const),
        perDay: fc.constantFrom<Array<number | null>>(null, 1, 2),
        perWeek: fc.constantFrom(null, null, 1, 2, 3),
        gapMin: fc.constantFrom(null, 5, 90),
        guard: fc.constantFrom(null, null, [9, 18] as const, [12, 13] as const),
        guardDays: fc.constantFrom<number[][]>([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7], [2, 3, 6]),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('retry over midnight' as const),
        index,
        perWeek: fc.constantFrom(1, 2),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('change while retries wait for the carrier' as const),
        change: fc.constantFrom('limits' as const, 'window' as const, 'zone' as const, 'reopening' as const),
        index,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('number limits' as const), cps: fc.integer({ min: 1, max: 5 }) }),
    },
  ),
});
type Action = Drawn<typeof action>['do'];

/** When histories begin: in the working week, or some hours before Sunday or Monday begins somewhere. */
const beginnings = ['2026-03-02T09:00:00Z', '2026-03-07T20:00:00Z', '2026-03-08T20:00:00Z'] as const;

export const histories = fc.record({
  begins: fc.constantFrom(...beginnings),
  actions: fc.array(action, { minLength: 5, maxLength: 40 }),
  /** How and after how many steps the server is restarted. Most histories have no restart, because a start takes long. */
  restart: fc.oneof(
    { weight: 12, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({
        way: fc.constantFrom('stop' as const, 'kill' as const, 'kill taken' as const),
        after: fc.nat({ max: 30 }),
        downMs: fc.constantFrom(1, minute, hour),
      }),
    },
  ),
});
export type History = Drawn<typeof histories>;

type Limiting = Extract<Action, { type: 'limits' }>;
const hourText = (value: number): string => `${String(value).padStart(2, '0')}:00`;

const [monday] = beginnings;
const weekMs = 7 * 24 * hour;
const msOf = (iso: string): number => Temporal.Instant.from(iso).epochMilliseconds;
const everyDay = [1, 2, 3, 4, 5, 6, 7];
const firstCampaign: ModelCampaign = {
  status: 'active',
  numberId: '',
  start: null,
  end: null,
  hours: null,
  days: everyDay,
  maxConcurrent: 10,
  maxCps: 1,
  retryAttempts: 0,
  retryOn: statuses,
  gapMs: 60 * minute,
};

/** Plays histories against servers that it starts and stops. Each history gets its own organization. */
export class HistoryPlayer {
  readonly carrier: ModelCarrier;
  #server: TestServer | undefined;
  #data = '';
  #directories: string[] = [];
  /** The clock time of a server that is starting and may already dial; undefined once it is started. */
  #startsAt: number | undefined;
  #runs = 0;
  #phones = 0;
  // State of the current history.
  #client!: Client;
  #states: ModelState[] = [];
  #dials: Dial[] = [];
  #failedAt = new Map<string, number>();
  /** Whether each hand-over of a number failed, since its last pause. */
  #handOvers = new Map<string, boolean[]>();
  #pausedAt = new Map<string, number>();
  #resumptions = new Map<string, number>();
  #violations: string[] = [];
  #numbers: string[] = [];
  /** The calls that count for the limits of their number, by id. */
  #attempts = new Map<string, ModelAttempt>();
  #campaignId = '';
  #agentId = '';
  readonly total = { dials: 0, histories: 0 };

  constructor() {
    this.carrier = createModelCarrier({
      dialed: (call) => this.#dialed({ call, at: this.#now() }),
      unknown: (callId) => {
        const call = this.#dials.find((dial) => dial.call.id === callId)?.call;
        this.#attempts.delete(callId);
        if (call) this.#ended(call.contactId, call.campaignId, 'failed');
      },
      refused: ({ id, contactId, campaignId }) => {
        this.#endAttempt(id, this.#now());
        this.#ended(contactId, campaignId, 'failed');
      },
      notTaken: (call) => {
        this.#attempts.delete(call.id);
        this.#countUnreachable(call);
      },
      handedOver: ({ phoneNumberId, handedOverAt }) => {
        if (this.#pausedAt.has(phoneNumberId)) return this.#reached(phoneNumberId, handedOverAt!);
        const earlier = this.#handOvers.get(phoneNumberId) ?? [];
        if (earlier.at(-1)) this.#resume(phoneNumberId);
        this.#handOvers.set(phoneNumberId, [...earlier, false]);
      },
      known: ({ phoneNumberId }, askedAt) => this.#reached(phoneNumberId, askedAt),
      outOfReach: ({ phoneNumberId }, nothingThere) => this.#outOfReach(phoneNumberId, nothingThere),
    });
  }

  async close(): Promise<void> {
    await this.#server?.stop();
    for (const path of this.#directories) rmSync(path, { recursive: true, force: true });
  }

  async play({ begins, actions, restart }: History): Promise<void> {
    await this.#begin(begins);
    for (const [step, { do: what, settles }] of actions.entries()) {
      if (restart?.after === step) await this.#restart(restart);
      await this.#act(what);
      if (settles) await this.#settle();
      this.#check();
    }
    await this.#settle();
    await this.#checkStats();
    await this.#finish();
  }

  get #app() {
    return this.#server!.running.app;
  }
  #now(): number {
    return this.#startsAt ?? this.#app.clock.now();
  }
  get #state(): ModelState {
    return this.#states.at(-1)!;
  }
  #settle = (): Promise<unknown> => this.#server!.running.runner.settled();
  #advanceAtOnce(ms: number): Promise<unknown> {
    const { app, runner } = this.#server!.running;
    return advance({ clock: app.clock as TestClock, runner, log: app.log }, app.clock.now() + ms);
  }

  /** Advances the clock in steps, and ends calls that have lasted for more than `maxCallMs`. */
  async #advance(ms: number): Promise<void> {
    const end = this.#now() + ms;
    while (this.#now() < end) {
      await this.#advanceAtOnce(Math.min(advanceStepMs, end - this.#now()));
      this.#expireSilent();
      for (const call of this.carrier.live.values()) {
        if (this.#now() - call.handedOverAt! > maxCallMs) await this.#end(call.id, 'no_answer');
      }
    }
  }

  async #start(at: string): Promise<void> {
    this.carrier.nextServer();
    this.#startsAt = Temporal.Instant.from(at).epochMilliseconds;
    this.#server = await startTestServer({
      data: this.#data,
      testClock: at,
      carrierDrivers: [this.carrier.driver],
      settings: { 'carrier.driver': 'model' },
    });
    this.#startsAt = undefined;
  }

  async #begin(at: History['begins']): Promise<void> {
    this.#runs += 1;
    this.total.histories += 1;
    this.carrier.live.clear();
    this.carrier.doubtful.clear();
    this.carrier.mode = 'works';
    this.carrier.unreachablePhone = null;
    this.#states = [];
    this.#dials = [];
    this.#failedAt.clear();
    this.#pausedAt.clear();
    this.#handOvers.clear();
    this.#resumptions.clear();
    this.#attempts.clear();
    if (!this.#server) {
      this.#data = this.#directory();
      await this.#start(monday);
    }
    this.#client = await this.#server!.newOrganization();
    const { orgId } = this.#client;
    this.#agentId = (await anAgent(this.#client)).id;
    this.#numbers = [];
    for (let one = 0; one < 2; one += 1) {
      const phone = `+49302${String(this.#runs * 2 + one).padStart(7, '0')}`;
      this.#numbers.push((await importNumber(this.#app, orgId, { phone, termination_uri: 'sip.example.com' })).id);
    }
    const since = (this.#now() - msOf(at)) % weekMs;
    if (since !== 0) await this.#advanceAtOnce(since < 0 ? -since : weekMs - since);
    const campaign = await createCampaign(this.#app, orgId, {
      name: 'Model',
      agentId: this.#agentId,
      phoneNumberId: this.#numbers[0]!,
    });
    this.#campaignId = campaign.id;
    const contacts = Array.from({ length: contactCount }, () => ({ phone: this.#phone() }));
    await addCampaignContacts(this.#app, orgId, campaign.id, { contactIds: [], contacts });
    const { items } = await this.#contacts();
    const joined = items.map(({ contactId, phone }): ModelContact => ({
      id: contactId!,
      phone,
      zone: null,
      isJoined: true,
      isFlagged: false,
      isListed: false,
      attempts: 0,
      last: null,
      unreachable: null,
    }));
    this.#states = [
      {
        campaign: { ...firstCampaign, numberId: this.#numbers[0]! },
        contacts: joined,
        isAgentActive: true,
        singles: new Map(),
        limits: { perDay: null, perWeek: null, gapMs: null, guard: null },
      },
    ];
    await updateCampaign(this.#app, orgId, campaign.id, { status: 'active' });
  }

  #phone = (): string => phoneOf((this.#phones += 1));
  #directory(): string {
    const path = mkdtempSync(join(tmpdir(), 'parley-model-'));
    this.#directories.push(path);
    return path;
  }
  #contacts = () =>
    listCampaignContacts(this.#app, this.#client.orgId, this.#campaignId, {}, { limit: 100, offset: 0 });

  /**
   * Counts as failed the calls that parley has ended because it heard nothing of them for the longest call and a minute's grace: those
   * that the carrier never took, and those whose end parley missed while it was down.
   */
  #expireSilent(): void {
    for (const silent of [this.carrier.doubtful, this.carrier.live]) {
      for (const [id, call] of silent) {
        const endedAt = call.handedOverAt! + leaseMs;
        if (this.#now() < endedAt) continue;
        silent.delete(id);
        this.#endAttempt(id, endedAt);
        this.#ended(call.contactId, call.campaignId, 'failed', endedAt);
      }
    }
  }

  #dialed(dial: Dial): void {
    this.#expireSilent();
    const live = [...this.carrier.live.values()];
    const attempts = [...this.#attempts.values()];
    const seen = { dials: this.#dials, live, failedAt: this.#failedAt, attempts };
    const violations = this.#states.map((state) => violationOf(state, seen, dial));
    if (violations.every((violation) => violation !== undefined)) {
      const at = Temporal.Instant.fromEpochMilliseconds(dial.at).toString();
      this.#violations.push(`${dial.call.to} was dialed at ${at}, although ${violations.join(' and ')}`);
    }
    this.#dials.push(dial);
    this.#attempts.set(dial.call.id, { phone: dial.call.to, at: dial.at, endedAt: null });
    this.total.dials += 1;
  }

  #endAttempt(callId: string, endedAt: number): void {
    const attempt = this.#attempts.get(callId);
    if (attempt) this.#attempts.set(callId, { ...attempt, endedAt });
  }

  #check(): void {
    const violations = this.#violations.splice(0);
    assert.deepEqual(violations, []);
  }

  #reached(numberId: string, requestedAt: number): void {
    const pausedAt = this.#pausedAt.get(numberId);
    if (pausedAt === undefined || requestedAt <= pausedAt) return;
    this.#pausedAt.delete(numberId);
    this.#failedAt.delete(numberId);
    this.#resume(numberId);
  }

  #resume(numberId: string): void {
    this.#resumptions.set(numberId, (this.#resumptions.get(numberId) ?? 0) + 1);
  }

  #outOfReach(numberId: string, nothingThere: boolean): void {
    if (!this.#pausedAt.has(numberId)) {
      const all = [...(this.#handOvers.get(numberId) ?? []), true];
      this.#handOvers.set(numberId, all);
      const failures = (last: number): number => all.slice(-last).filter((failed) => failed).length;
      if (!nothingThere && failures(3) < 3 && failures(20) < 10) return;
      this.#handOvers.delete(numberId);
      this.#pausedAt.set(numberId, this.#now());
    }
    this.#failedAt.set(numberId, this.#now());
  }

  /** Counts that the carrier was out of reach for a contact. The third time the contact fails, if others got through in between. */
  #countUnreachable({ contactId, campaignId, phoneNumberId }: Call): void {
    const contact = this.#state.contacts.find(({ id }) => id === contactId);
    if (!contact || campaignId === null) return;
    const resumptions = this.#resumptions.get(phoneNumberId) ?? 0;
    const isNew = contact.unreachable?.resumptions !== resumptions;
    const unreachable = { count: (contact.unreachable?.count ?? 0) + (isNew ? 1 : 0), resumptions, at: this.#now() };
    if (unreachable.count >= 3) return this.#ended(contactId, campaignId, 'failed');
    this.#states = this.#states.map((state) => ({
      ...state,
      contacts: state.contacts.map((one) => (one.id === contactId ? { ...one, unreachable } : one)),
    }));
  }

  /** Counts an attempt that has ended. */
  #ended(contactId: string | null, campaignId: string | null, status: string, at = this.#now()): void {
    if (campaignId === null) return;
    this.#states = this.#states.map((state) => ({
      ...state,
      contacts: state.contacts.map((contact) =>
        contact.id === contactId
          ? { ...contact, attempts: contact.attempts + 1, last: { status, at }, unreachable: null }
          : contact,
      ),
    }));
  }

  /** Makes a change. Until it is done, a dial is right if the state before the change or the state after it allows it. */
  async #change(next: Partial<ModelState>, make: () => Promise<unknown>): Promise<void> {
    const before = this.#state;
    this.#states = [before, { ...before, ...next }];
    try {
      await make();
      this.#states = [this.#states.at(-1)!];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#states = [this.#states[0]!];
    }
  }

  #changeContact(
    at: number,
    next: Partial<ModelContact>,
    make: (contact: ModelContact) => Promise<unknown>,
  ): Promise<void> {
    const contacts = this.#state.contacts.map((contact, i) => (i === at ? { ...contact, ...next } : contact));
    return this.#change({ contacts }, () => make(this.#state.contacts[at]!));
  }

  async #act(what: Action): Promise<void> {
    const app = this.#app;
    const { orgId } = this.#client;
    switch (what.type) {
      case 'advance':
        await this.#settle();
        await this.#advance(what.ms);
        return;
      case 'end calls':
        await this.#settle();
        for (const call of [...this.carrier.live.values()].slice(0, what.many)) await this.#end(call.id, what.status);
        return;
      case 'carrier':
        await this.#settle();
        this.carrier.mode = what.mode;
        return;
      case 'make unreachable':
        await this.#settle();
        this.carrier.unreachablePhone = this.#state.contacts[what.index]!.phone;
        return;
      case 'status':
        return this.#change({ campaign: { ...this.#state.campaign, status: what.status } }, () =>
          updateCampaign(app, orgId, this.#campaignId, { status: what.status }),
        );
      case 'agent':
        return this.#change({ isAgentActive: what.isActive }, () =>
          updateAgent(app, orgId, this.#agentId, { status: what.isActive ? 'ACTIVE' : 'INACTIVE' }),
        );
      case 'settings':
        return this.#changeSettings(what.changes);
      case 'list':
        return this.#changeContact(what.index, { isListed: what.on }, ({ phone }) =>
          what.on ? addDoNotCall(app, orgId, { phone }) : removeDoNotCall(app, orgId, phone),
        );
      case 'flag':
        return this.#changeContact(what.index, { isFlagged: what.on }, ({ id }) =>
          updateContact(app, orgId, id, { do_not_call: what.on }),
        );
      case 'zone':
        return this.#changeContact(what.index, { zone: what.zone }, ({ id }) =>
          updateContact(app, orgId, id, { timezone: what.zone }),
        );
      case 'phone': {
        const phone = this.#phone();
        return this.#changeContact(what.index, { phone, isListed: false }, ({ id }) =>
          updateContact(app, orgId, id, { phone }),
        );
      }
      case 'remove':
        return this.#changeContact(what.index, { isJoined: false }, ({ id }) =>
          removeCampaignContact(app, orgId, this.#campaignId, id),
        );
      case 'join':
        return this.#join(what.index);
      case 'limits':
        return this.#limit(what);
      case 'call a contact':
      case 'single call': {
        const to = what.type === 'single call' ? this.#phone() : this.#state.contacts[what.index]!.phone;
        const singles = new Map([...this.#state.singles, [to, this.#now()]]);
        return this.#change({ singles }, () =>
          placeCall(app, orgId, { agentId: this.#agentId, to, phoneNumberId: this.#state.campaign.numberId }),
        );
      }
      case 'retry over midnight':
        return this.#retryOverMidnight(what);
      case 'change while retries wait for the carrier':
        return this.#changeInOutage(what);
      case 'number limits':
        await updateNumber(app, orgId, this.#state.campaign.numberId, { max_cps: what.cps });
    }
  }

  /** Lets calls be busy, has the carrier out of reach for their retries, and then makes a change that decides retries anew. */
  async #changeInOutage({ change, index: at }: Extract<Action, { change: unknown }>): Promise<void> {
    await this.#changeSettings({ retryAttempts: 2, gapMin: 1, days: [1, 2, 3, 4, 5], hours: null });
    await this.#act({ type: 'end calls', status: 'busy', many: 3 });
    this.carrier.mode = 'full';
    await this.#advance(minute);
    await this.#settle();
    switch (change) {
      case 'limits':
        await this.#limit({ perDay: 9, perWeek: null, gapMin: null, guard: null, guardDays: [] });
        break;
      case 'window':
        await this.#changeSettings({ days: [1, 2, 3, 4, 5, 6] });
        break;
      case 'zone':
        await this.#act({ type: 'zone', index: at, zone: 'Asia/Tokyo' });
        break;
      case 'reopening':
        await this.#act({ type: 'status', status: 'completed' });
        await this.#settle();
        await this.#act({ type: 'status', status: 'active' });
    }
    await this.#settle();
    await this.#advance(1000);
  }

  /** Fills the week of contacts shortly before a midnight of one of them, and lets retries fall due on both sides of it. */
  async #retryOverMidnight({ index: at, perWeek }: Extract<Action, { type: 'retry over midnight' }>): Promise<void> {
    await this.#changeSettings({ retryAttempts: 2, retryOn: [...statuses], gapMin: 1, days: everyDay, hours: null });
    await this.#limit({ perDay: null, perWeek, gapMin: null, guard: null, guardDays: [] });
    await this.#settle();
    const { phone, zone } = this.#state.contacts[at]!;
    const here = Temporal.Instant.fromEpochMilliseconds(this.#now()).toZonedDateTimeISO(zone ?? zoneOfCountry(phone));
    const midnight = here.add({ days: 1 }).startOfDay().epochMilliseconds;
    for (const instant of [midnight - 4 * minute, midnight - 2 * minute, midnight + minute, midnight + 3 * minute]) {
      await this.#advance(Math.max(0, instant - this.#now()));
      await this.#act({ type: 'end calls', status: 'busy', many: 3 });
    }
    await this.#settle();
  }

  #limit({ perDay, perWeek, gapMin, guard: hours, guardDays: days }: Omit<Limiting, 'type'>): Promise<void> {
    const guard = hours && { hours, days };
    const limits = { perDay, perWeek, gapMs: gapMin === null ? null : gapMin * minute, guard };
    return this.#change({ limits }, () =>
      updateOrganization(this.#app, this.#client.orgId, {
        contactLimits: { maxPerDay: perDay, maxPerWeek: perWeek, minGapMin: gapMin },
        guardHours: hours && { start: hourText(hours[0]), end: hourText(hours[1]), days },
      }),
    );
  }

  async #end(callId: string, status: 'completed' | (typeof statuses)[number]): Promise<void> {
    const call = this.carrier.live.get(callId)!;
    this.carrier.live.delete(callId);
    this.#endAttempt(callId, this.#now());
    this.#ended(call.contactId, call.campaignId, status);
    await transact(this.#app.db, call.orgId, (tx) => endCallById(this.#app, tx, callId, plainOutcome(status)));
  }

  /** Adds a contact to the campaign. If it was removed before, its attempts start again from one. */
  async #join(at: number): Promise<void> {
    const { id, isJoined } = this.#state.contacts[at]!;
    const fresh = isJoined ? {} : { isJoined: true, attempts: 0, last: null, unreachable: null };
    await this.#settle();
    const added = { count: 0 };
    await this.#changeContact(at, fresh, async () => {
      const { added: count } = await addCampaignContacts(this.#app, this.#client.orgId, this.#campaignId, {
        contactIds: [id],
        contacts: [],
      });
      added.count = count;
      if (count === 0) throw new AppError('conflict', 'The contact was not added.');
    });
    // A contact that opted out while it was pending was cancelled, so its attempts start again from one, too.
    if (added.count > 0 && isJoined)
      await this.#changeContact(at, { attempts: 0, last: null, unreachable: null }, () => Promise.resolve());
  }

  #changeSettings(changes: SettingChanges): Promise<void> {
    const { hours, days, maxConcurrent, maxCps, retryAttempts, retryOn, gapMin, startIn, endIn, number } = changes;
    const now = this.#now();
    const at = (ms: number | null | undefined): number | null | undefined => (typeof ms === 'number' ? now + ms : ms);
    const iso = (ms: number | null): string | null =>
      ms === null ? null : Temporal.Instant.fromEpochMilliseconds(ms).toString();
    const [start, end] = [at(startIn), at(endIn)];
    const given = <K extends keyof ModelCampaign>(
      key: K,
      value: ModelCampaign[K] | undefined,
    ): Partial<ModelCampaign> => (value === undefined ? {} : { [key]: value });
    const campaign: ModelCampaign = {
      ...this.#state.campaign,
      ...given('hours', hours),
      ...given('days', days),
      ...given('maxConcurrent', maxConcurrent),
      ...given('maxCps', maxCps),
      ...given('retryAttempts', retryAttempts),
      ...given('retryOn', retryOn),
      ...given('gapMs', gapMin === undefined ? undefined : gapMin * minute),
      ...given('start', start),
      ...given('end', end),
      ...given('numberId', number === undefined ? undefined : this.#numbers[number]!),
    };
    const wanted: CampaignChanges = {
      phoneNumberId: campaign.numberId,
      maxCps: campaign.maxCps,
      retryOn: [...campaign.retryOn] as (typeof statuses)[number][],
      schedule: {
        start: iso(campaign.start),
        end: iso(campaign.end),
        windowStart: campaign.hours === null ? null : hourText(campaign.hours[0]),
        windowEnd: campaign.hours === null ? null : hourText(campaign.hours[1]),
        windowDays: campaign.days,
        maxConcurrent: campaign.maxConcurrent,
        retryAttempts: campaign.retryAttempts,
        retryGapMin: campaign.gapMs / minute,
      },
    };
    return this.#change({ campaign }, () => updateCampaign(this.#app, this.#client.orgId, this.#campaignId, wanted));
  }

  /** Stops the server, or kills it while it dials (if it dials within a minute), and starts another one on a copy of its data. */
  async #restart({ way, downMs }: NonNullable<History['restart']>): Promise<void> {
    await this.#settle();
    const old = this.#server!;
    const left = this.#directory();
    if (way === 'stop') {
      await old.stop();
      cpSync(this.#data, left, { recursive: true });
    } else {
      this.carrier.mode = way === 'kill' ? 'dies' : 'dies taken';
      const isDone = await Promise.race([this.#advance(minute).then(() => true), this.carrier.died.then(() => false)]);
      cpSync(this.#data, left, { recursive: true });
      this.carrier.mode = 'works';
      if (isDone) await old.stop();
      else void old.stop().catch(() => undefined);
    }
    const at = old.running.app.clock.now() + downMs;
    this.#data = left;
    await this.#start(Temporal.Instant.fromEpochMilliseconds(at).toString());
    await this.#settle();
    this.#expireSilent();
  }

  async #checkStats(): Promise<void> {
    const { stats } = await getCampaign(this.#app, this.#client.orgId, this.#campaignId);
    const { items, total } = await this.#contacts();
    const count = (...of: string[]): number => items.filter(({ status }) => of.includes(status)).length;
    assert.deepEqual(stats, {
      total,
      contacted: count('completed'),
      successful: count('completed'),
      failed: count('failed', 'cancelled', 'expired'),
      noAnswer: count('no_answer', 'busy', 'voicemail'),
      pending: count('pending'),
      inProgress: count('in_progress'),
    });
  }

  /** Removes every obstacle and checks that every contact then gets its final status. */
  async #finish(): Promise<void> {
    this.carrier.mode = 'works';
    this.carrier.unreachablePhone = null;
    await this.#act({ type: 'agent', isActive: true });
    await this.#limit({ perDay: null, perWeek: null, gapMin: null, guard: null, guardDays: [] });
    await this.#settle(); // a campaign whose contacts are being expired is not reopened
    // A completed campaign takes a new end alone.
    await this.#change({ campaign: { ...this.#state.campaign, end: null } }, () =>
      updateCampaign(this.#app, this.#client.orgId, this.#campaignId, { schedule: { end: null } }),
    );
    await this.#act({ type: 'status', status: 'active' });
    await this.#changeSettings({ hours: null, days: [1, 2, 3, 4, 5, 6, 7], startIn: null, endIn: null });
    for (let round = 0; round < 40; round += 1) {
      await this.#advance(10 * minute);
      for (const callId of [...this.carrier.live.keys()]) await this.#end(callId, 'completed');
      await this.#settle();
      if ((await getCampaign(this.#app, this.#client.orgId, this.#campaignId)).status === 'completed') break;
    }
    this.#check();
    await this.#checkStats();
    const { status, stats } = await getCampaign(this.#app, this.#client.orgId, this.#campaignId);
    assert.deepEqual([status, stats.pending, stats.inProgress], ['completed', 0, 0], 'nobody is forgotten');
  }
}
