/** Runs one attack in a process of its own: `attacker.ts <attack> <url> <organization> <key> <sink>`. */
import { Agent, setGlobalDispatcher } from 'undici';
import { serveParent } from '../support/child.ts';
import { attackerAddress, attacks } from './attacks.ts';
import { tenantOf } from './tenant.ts';

const [name = '', url = '', orgId = '', apiKey = '', sink = ''] = process.argv.slice(2);
setGlobalDispatcher(new Agent({ localAddress: attackerAddress }));
await attacks[name]!({ tenant: tenantOf(url, orgId, apiKey), url, apiKey, sink });
serveParent({}, () => ({}));
