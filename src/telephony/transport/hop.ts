/** Where a message goes, or came from. */
export type TransportName = 'udp' | 'tcp' | 'tls';

export type Hop = {
  transport: TransportName;
  /** An IP address. */
  address: string;
  port: number;
  /** The name that the certificate must be valid for (TLS): the name that the customer configured, or the address. */
  serverName: string;
  /** How long a connection may take; 10 s without it. */
  connectMs?: number;
  /** The other side opened the connection, so that we cannot open it again. */
  isTheirs?: boolean;
};

export const isReliable = ({ transport }: Pick<Hop, 'transport'>): boolean => transport !== 'udp';

export const hopKey = ({ transport, address, port, serverName }: Hop): string =>
  `${transport} ${address} ${port}${transport === 'tls' ? ` ${serverName}` : ''}`;
