import type { Socket } from 'node:net';
import type { Config } from '../base/config/schema.ts';
import { isInNetworks, parseNetworks } from '../base/outbound/addresses.ts';
import { counter, type Metric } from '../base/metric.ts';
import { connectionAddress } from './client-address.ts';

/** Closes new connections of an address that has as many as it may have. Trusted proxies connect for many clients and have no limit. */
export function createConnectionLimit({ http }: Config): { admit: (socket: Socket) => void; metric: () => Metric } {
  const trusted = parseNetworks(http.trusted_proxies);
  const open = new Map<string, number>();
  let refused = 0;

  function close(address: string): void {
    const left = open.get(address)! - 1;
    if (left === 0) open.delete(address);
    else open.set(address, left);
  }

  return {
    admit(socket) {
      const address = connectionAddress(socket);
      if (isInNetworks(address, trusted)) return;
      const count = open.get(address) ?? 0;
      if (count >= http.max_connections_per_address) {
        refused += 1;
        socket.destroy();
        return;
      }
      open.set(address, count + 1);
      socket.once('close', () => close(address));
    },
    metric: () =>
      counter(
        'parley_http_connections_refused_total',
        'Connections closed since the start because their address had as many as http.max_connections_per_address.',
        [{ value: refused }],
      ),
  };
}
