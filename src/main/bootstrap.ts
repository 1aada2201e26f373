import { messageOf } from '../base/errors.ts';
import { ConfigError } from '../base/config/faults.ts';
import { faultPoint } from '../base/fault-points.ts';
import { isUuid } from '../base/ids.ts';
import { installation, onCommit, transact } from '../db/transaction.ts';
import { makeSetupLink } from '../features/organizations/people/links.ts';
import { hasPeople } from '../features/organizations/people/service.ts';
import {
  identifyApiKey,
  createApiKey,
  createOrganization,
  firstOrganization,
} from '../features/organizations/service.ts';
import { installationCaller, signToken } from '../features/organizations/tokens.ts';
import type { App } from '../kernel/app.ts';
import { storeSecretsCheck } from '../kernel/secrets-check.ts';

/**
 * The first organization and its admin key. Only the key's hash is stored, so on later starts `apiKey` is null, unless
 * PARLEY_BOOTSTRAP_API_KEY is set to a key that is still valid. `setupUrl` is a new set-up link as long as the organization has no person,
 * else null.
 */
export type Bootstrapped = { orgId: string; apiKey: string | null; isFirstStart: boolean; setupUrl: string | null };

export type BootstrapWishes = { apiKey?: string | undefined; orgId?: string | undefined };

/**
 * Creates the first organization and its admin key in an empty database (docs/api/process.md, "First start"). `wishes` comes from the
 * variables `PARLEY_BOOTSTRAP_API_KEY` and `PARLEY_BOOTSTRAP_ORG_ID`, which set the key's text and the organization's id.
 * @throws ConfigError that names the variable with an unusable value
 */
export async function bootstrap(app: App, wishes: BootstrapWishes): Promise<Bootstrapped> {
  const known = await firstOrganization(app.db);
  await transact(app.db, installation, async (tx) => {
    await storeSecretsCheck(tx, app.secrets);
    if (app.secrets.isFirstStart()) onCommit(tx, () => endFirstStart(app));
  });
  const { orgId, apiKey } =
    known === undefined
      ? await createFirst(app, wishes)
      : { orgId: known, apiKey: await apiKeyIfValid(app, wishes.apiKey) };
  const setupUrl = await transact(app.db, installation, async (tx) =>
    (await hasPeople(tx, orgId)) ? null : makeSetupLink(app, tx, orgId),
  );
  return { orgId, apiKey, isFirstStart: known === undefined, setupUrl };
}

/** An access token with the role admin, for the ready file (docs/api/process.md, "Ready file"). */
export async function firstToken(app: App, { orgId }: Pick<Bootstrapped, 'orgId'>): Promise<string> {
  const { token } = await signToken(app, { ...installationCaller, orgId });
  return token;
}

/** Only logs a failure, since the data is committed: the next start tries again. */
function endFirstStart(app: App): void {
  try {
    app.secrets.endFirstStart();
  } catch (error) {
    app.log.warn({ error: messageOf(error) }, 'the end of the first start could not be recorded in secrets.json');
  }
}

async function apiKeyIfValid(app: App, apiKey: string | undefined): Promise<string | null> {
  return apiKey !== undefined && (await identifyApiKey(app, apiKey)) !== undefined ? apiKey : null;
}

const unusable = (name: string, requirement: string): ConfigError =>
  new ConfigError([{ setting: name, message: `${name} ${requirement}`, origin: { kind: 'env', name } }]);

function createFirst(app: App, { apiKey, orgId }: BootstrapWishes): Promise<{ orgId: string; apiKey: string }> {
  if (orgId !== undefined && !isUuid(orgId)) throw unusable('PARLEY_BOOTSTRAP_ORG_ID', 'must be a UUID');
  if (apiKey !== undefined && !/^[\x21-\x7e]{16,128}$/.test(apiKey)) {
    throw unusable('PARLEY_BOOTSTRAP_API_KEY', 'must have 16 to 128 printable characters');
  }
  return transact(app.db, installation, async (tx) => {
    const id = await createOrganization(app, tx, 'My organization', orgId?.toLowerCase());
    const key = await createApiKey(app, tx, id, {
      name: 'First admin key',
      role: 'admin',
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    faultPoint('bootstrap.uncommitted');
    return { orgId: id, apiKey: key.apiKey };
  });
}
