import { monitorEventLoopDelay } from 'node:perf_hooks';
import { serveParent } from './child.ts';

/** A process that does nothing: the lag of its event loop is the machine's, below which no other process can come. */
const lag = monitorEventLoopDelay({ resolution: 1 });
lag.enable();

serveParent({}, () => {
  const lagMs = lag.percentile(99) / 1e6;
  lag.reset();
  return { lagMs };
});
