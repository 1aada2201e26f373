/**
 * Measures what an agent does in calls.
 *
 *   npm run bench:talk [-- --quick] [-- --part=listen]
 */
import { measureParts } from './support/report.ts';
import { measureListening } from './talk/listen.ts';

await measureParts({ listen: measureListening });
