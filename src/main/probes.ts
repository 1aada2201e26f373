import { monotonicMs } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { isConfigured as isMailConfigured, verifyConnection } from '../features/notifications/email.ts';
import { countIssuerKeys, issuerOf } from '../features/organizations/issuer.ts';
import type { App } from '../kernel/app.ts';
import { type Finding, finding } from './finding.ts';

/**
 * A service outside of parley that a setting names. `parley doctor` reaches it, since a setting alone does not prove that anything works.
 * `attempt` is undefined when it is not configured; else it resolves with what was reached, or rejects with the reason. It must give up
 * when its signal says so.
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
    attempt({ config: { email } }) {
      if (!isMailConfigured(email)) return undefined;
      return async (signal) => {
        await verifyConnection(email, signal);
        const login = email.user === null ? '' : ` and accepted the log-in of ${email.user}`;
        return `${email.host}:${email.port} answered${login}`;
      };
    },
    unconfigured: 'email.host is not set: notices are stored and logged, but not sent by email',
  },
];

/** In real time. Long enough for the slowest service that is any good. */
const timeoutMs = 10_000;

/** Reaches every configured service, all at once. */
export async function probeFindings(app: App): Promise<Finding[]> {
  const findings = await Promise.all(probes.map((probe) => findingOf(app, probe)));
  return findings.filter((one) => one !== undefined);
}

async function findingOf(app: App, { check, unconfigured, ...probe }: Probe): Promise<Finding | undefined> {
  const run = probe.attempt(app);
  if (!run) return unconfigured === undefined ? undefined : finding(check, 'warn', unconfigured);
  const startedAt = monotonicMs();
  const durationMs = (): number => Math.round(monotonicMs() - startedAt);
  try {
    return { ...finding(check, 'ok', await run(AbortSignal.timeout(timeoutMs))), duration_ms: durationMs() };
  } catch (error) {
    return { ...finding(check, 'fail', messageOf(error)), duration_ms: durationMs() };
  }
}
