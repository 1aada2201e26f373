/** Runs one attack in a process of its own: `attacker.ts <attack> <url> <organization> <key> <sink>`. */
import { serveParent } from '../support/child.ts';
import { attacks } from './attacks.ts';
import { tenantOf } from './tenant.ts';

const [name = '', url = '', orgId = '', apiKey = '', sink = ''] = process.argv.slice(2);
await attacks[name]!({ tenant: tenantOf(url, orgId, apiKey), url, apiKey, sink });
serveParent({}, () => ({}));
