/**
 * Measures what an agent does in calls.
 *
 *   npm run bench:talk [-- --quick] [-- --part=browser|calls|cascade|delay|interrupt|listen|record]
 */
import { measureParts } from './support/report.ts';
import { measureTestCalls } from './talk/browser.ts';
import { measureCalls, measureCascade, measureRecording } from './talk/calls.ts';
import { measureDelay } from './talk/delay.ts';
import { measureInterruptions } from './talk/interrupt.ts';
import { measureListening } from './talk/listen.ts';

await measureParts({
  browser: measureTestCalls,
  calls: measureCalls,
  cascade: measureCascade,
  delay: measureDelay,
  interrupt: measureInterruptions,
  listen: measureListening,
  record: measureRecording,
});
