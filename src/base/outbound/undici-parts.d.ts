/*
 * parley loads only these two modules of undici. Loading them blocks the thread for 55 ms at the first outbound request of a process; the
 * whole package would block it for 110 ms and take 7 MiB more memory.
 */
declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';
  export default buildConnector;
}

declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}
