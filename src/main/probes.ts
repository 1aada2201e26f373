import { monotonicMs } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { type Reachable, reachableAccounts } from '../features/calendar/service.ts';
import { mailServerOf, verifyConnection } from '../features/notifications/email.ts';
import { countIssuerKeys, issuerOf } from '../features/organizations/issuer.ts';
import type { App } from '../kernel/app.ts';
import { reachEmbeddings } from '../search/service.ts';
import { type Finding, finding } from './finding.ts';

/**
 * A service outside of parley that a setting names. `parley doctor` reaches it, since a setting alone does not prove that anything works.
 * `attempt` returns undefined when the service is not configured; otherwise a function that resolves with what was reached, or rejects with
 * the reason. The function must give up when its signal is aborted, unless it has a shorter time-out of its own.
 */
type Probe = {
  check: string;
  attempt(app: App): ((signal: AbortSignal) => Promise<string>) | undefined;
  unconfigured?: string;
};

const probes: readonly Probe[] = [
  {
    check: 'jwks',
    attempt(app) {
      const issuer = issuerOf(app.config);
      return issuer && (async () => `${await countIssuerKeys(app, issuer)} keys of ${issuer.issuer} were fetched`);
    },
  },
  {
    check: 'email',
    attempt({ config }) {
      const mailServer = mailServerOf(config);
      return (
        mailServer &&
        (async (signal) => {
          await verifyConnection(mailServer, signal);
          const login = mailServer.user === null ? '' : ` and accepted the log-in of ${mailServer.user}`;
          return `${mailServer.host}:${mailServer.port} answered${login}`;
        })
      );
    },
    unconfigured: 'email.host is not set: notices are stored and logged, but not sent by email',
  },
  {
    check: 'embeddings',
    attempt(app) {
      if (app.config.embeddings.url === null) return undefined;
      return async () => {
        const { host, dimensions } = (await reachEmbeddings(app, timeoutMs))!;
        return `${host} answered with a vector of ${dimensions} dimensions`;
      };
    },
    unconfigured: 'embeddings.url is not set: knowledge bases are searched by words',
  },
];

/** In real milliseconds. Long enough for the slowest service that is still usable. */
const timeoutMs = 10_000;
/** Accounts are reached all at once, and at most this many; an installation with more has its own monitoring. */
const maxAccounts = 100;

/** Reaches every configured service, all at once. */
export async function serviceFindings(app: App): Promise<Finding[]> {
  const findings = await Promise.all(probes.map((probe) => findingOf(app, probe)));
  return findings.filter((one) => one !== undefined);
}

/** Reaches the connected calendar accounts of one organization, or of all, all at once. */
export async function accountFindings(app: App, organizationId?: string): Promise<Finding[]> {
  const accounts = await reachableAccounts(app, maxAccounts + 1, organizationId);
  const reached = await Promise.all(
    accounts.slice(0, maxAccounts).map((account) => findingOf(app, accountProbe(account))),
  );
  const findings = reached.filter((one) => one !== undefined);
  if (accounts.length > maxAccounts)
    findings.push(finding('calendar', 'warn', `only the first ${maxAccounts} calendar accounts were tried`));
  return findings;
}

const accountProbe = ({ name, orgId, reach }: Reachable): Probe => ({
  check: 'calendar',
  attempt: () => async (signal) => {
    const account = `the account "${name}" of organization ${orgId}`;
    try {
      await reach(signal, timeoutMs);
    } catch (error) {
      throw new Error(`${account}: ${messageOf(error)}`, { cause: error });
    }
    return `the provider answered for ${account}`;
  },
});

async function findingOf(app: App, { check, unconfigured, ...probe }: Probe): Promise<Finding | undefined> {
  const run = probe.attempt(app);
  if (!run) return unconfigured === undefined ? undefined : finding(check, 'warn', unconfigured);
  const startedAt = monotonicMs();
  const durationMs = (): number => Math.round(monotonicMs() - startedAt);
  try {
    return { ...finding(check, 'ok', await bounded(run)), duration_ms: durationMs() };
  } catch (error) {
    return { ...finding(check, 'fail', messageOf(error)), duration_ms: durationMs() };
  }
}

/** Gives up also on an attempt that does not heed its signal at once. */
async function bounded(run: (signal: AbortSignal) => Promise<string>): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const tooLong = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no answer within ${timeoutMs / 1000} s`)));
  });
  return Promise.race([run(signal), tooLong]);
}
