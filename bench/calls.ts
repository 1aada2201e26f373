/**
 * Measures telephone calls: how punctually their sound is sent and what a call costs; what
 * junk at the SIP port does to it; how soon an INVITE follows its attempt; what calls
 * leave behind; and what the API feels of them.
 *
 *   npm run bench:calls [-- --quick] [-- --part=sound|flood|setup|row|api]
 *
 * All of it takes about ten minutes. The last lines say what was missed. A bare timer of 2 ms in a process of its own shows what the
 * machine alone does to a timer meanwhile; on a busy machine nothing is met or missed.
 */
import { measureApi } from './calls/api.ts';
import { conclude } from './calls/findings.ts';
import { measureFlood } from './calls/flood.ts';
import { measureRow } from './calls/row.ts';
import { measureSetUp } from './calls/setup.ts';
import { measureSound } from './calls/sound.ts';
import { measureParts } from './support/report.ts';

const parts = { sound: measureSound, flood: measureFlood, setup: measureSetUp, row: measureRow, api: measureApi };

await measureParts(parts);
conclude();
