import { readFileSync } from 'node:fs';
import type { App } from '../../../../kernel/app.ts';
import { checkRealtime } from '../../../../talking/speech/realtime/check.ts';
import type { SpeechSettings } from '../../../../talking/speech/settings.ts';
import type { PhoneNumber } from '../../../numbers/number.ts';
import { numbersWithTrunk } from '../../../numbers/service.ts';
import type { TrunkCheck } from '../carrier.ts';
import type { CarrierHealth } from '../driver.ts';
import type { NumberRegistrations } from './registrations.ts';
import type { SipSettings } from './settings.ts';

/** Whether the realtime service gives a session, and how long it takes. */
export async function speechFindings(app: App, speech: SpeechSettings): Promise<CarrierHealth[]> {
  if (speech.engine !== 'realtime') return [];
  const [first] = app.config.catalog.models.filter(({ is_active: isActive }) => isActive);
  const model = first ? (first.provider_model ?? first.llm_model) : null;
  const checked = await checkRealtime(speech, model);
  const service = `the speech service at ${new URL(speech.realtime.url).host}`;
  return 'fault' in checked
    ? [{ status: 'fail', message: `${service} gives no session: ${checked.fault}`, duration_ms: checked.ms }]
    : [{ status: 'ok', message: `${service} opened a session in ${checked.ms} ms`, duration_ms: checked.ms }];
}

/** Besides the sockets of calls: the database, HTTP clients, webhooks. */
const otherFiles = 512;

/** Whether all calls that are allowed can have their sound: ports, and files that the process may open. */
export function soundFindings(sip: SipSettings, maxFiles = openFileLimit()): CarrierHealth[] {
  const { rtp_port_min: min, rtp_port_max: max, max_calls: calls } = sip;
  const pairs = Math.max(0, Math.floor((max - (min + (min % 2))) / 2) + 1);
  const range = `ports ${min} to ${max} are enough for the sound of ${pairs} calls`;
  const ports: CarrierHealth =
    pairs < calls
      ? {
          status: 'warn',
          message: `${range}, and sip.max_calls is ${calls}; widen sip.rtp_port_min to sip.rtp_port_max`,
        }
      : { status: 'ok', message: range };
  if (maxFiles === undefined) return [ports];
  const needed = calls * 2 + otherFiles;
  const files: CarrierHealth =
    maxFiles < needed
      ? {
          status: 'warn',
          message: `the process may open ${maxFiles} files, and ${calls} calls need ${needed}; raise ulimit -n or lower sip.max_calls`,
        }
      : { status: 'ok', message: `the process may open ${maxFiles} files, and ${calls} calls need ${needed}` };
  return [ports, files];
}

/** More are of no use in a report. */
const maxRegistrations = 20;

/** The accounts that are not registered, so that no call to their numbers arrives. */
export function registrationFindings(accounts: ReturnType<NumberRegistrations['list']>): CarrierHealth[] {
  const missing = accounts.filter(({ state }) => state !== 'registered');
  const found = missing.slice(0, maxRegistrations).map(({ phones, trunk, state, detail }): CarrierHealth => ({
    status: state === 'registering' ? 'warn' : 'fail',
    message: `the registration of ${phones.slice(0, 3).join(', ')} at ${trunk} is ${state}${detail === null ? '' : `: ${detail}`}`,
  }));
  if (accounts.length === 0) return [];
  if (missing.length === 0) return [{ status: 'ok', message: `${accounts.length} SIP accounts are registered` }];
  const rest = missing.length - found.length;
  return rest === 0 ? found : [...found, { status: 'warn', message: `${rest} more SIP accounts are not registered` }];
}

/** Undefined where the system does not tell. */
function openFileLimit(): number | undefined {
  try {
    const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/** Asked at the same time; an installation with more has monitoring of its own. */
const maxTrunks = 20;
const maxNumbers = 500;

type Check = (number: PhoneNumber) => Promise<TrunkCheck>;

/** Asks each trunk of an organization, or of all, with OPTIONS. */
export async function trunkFindings(app: App, driver: string, check: Check, orgId?: string): Promise<CarrierHealth[]> {
  const numbers = await numbersWithTrunk(app.db, orgId, maxNumbers);
  const own = numbers.filter(({ carrier }) => (carrier ?? app.config.carrier.driver) === driver);
  const trunks = new Map(own.map((number) => [`${number.transport} ${number.terminationUri}`, number]));
  const asked = await Promise.all([...trunks.values()].slice(0, maxTrunks).map((number) => findingOf(number, check)));
  if (trunks.size <= maxTrunks && numbers.length < maxNumbers) return asked;
  return [...asked, { status: 'warn', message: `only ${asked.length} trunks were asked` }];
}

async function findingOf(number: PhoneNumber, check: Check): Promise<CarrierHealth> {
  const { reachable, detail, durationMs } = await check(number);
  const trunk = `the trunk ${number.terminationUri} of ${number.phone}`;
  return reachable
    ? { status: 'ok', message: `${trunk} answered ${detail}`, duration_ms: durationMs }
    : { status: 'fail', message: `${trunk} does not answer: ${detail}`, duration_ms: durationMs };
}
