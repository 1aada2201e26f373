import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { encode } from '../../../src/telephony/audio/g711.ts';
import type { Sound } from '../listening/sounds.ts';

/** The sound of a telephone that says what it is told, and keeps what it hears. µ-law, without a share of the program's RTP. */
export type Talker = {
  port: number;
  /** Sends a packet every 20 ms to this port of loopback from now on: the sounds, then silence. */
  talkTo(port: number, ...sounds: readonly Sound[]): void;
  /** Milliseconds that had been said when the first sound was heard; undefined: only silence was. */
  saidBeforeHearingMs(): number | undefined;
  /** What was heard from the first sound on. */
  heardSound(): Uint8Array;
  stop(): void;
};

const isSilent = (payload: Uint8Array): boolean => payload.every((byte) => byte === 0xff || byte === 0x7f);

export async function startTalker(): Promise<Talker> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const payloads: Uint8Array[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sent = 0;
  let sentBefore: number | undefined;
  socket.on('message', (packet) => {
    if ((packet[1]! & 0x7f) !== 0) return;
    const payload = Uint8Array.from(packet.subarray(12));
    if (!isSilent(payload)) sentBefore ??= sent;
    if (sentBefore !== undefined) payloads.push(payload);
  });
  return {
    port: socket.address().port,
    talkTo(port, ...sounds) {
      const said = Buffer.concat(sounds.map((sound) => encode('PCMU', sound)));
      const startMs = performance.now();
      const send = (): void => {
        const packet = Buffer.alloc(172, 0xff);
        packet.writeUInt16BE(0x8000, 0);
        packet.writeUInt16BE(sent & 0xffff, 2);
        packet.writeUInt32BE((sent * 160) >>> 0, 4);
        packet.writeUInt32BE(99, 8);
        said.copy(packet, 12, sent * 160, sent * 160 + 160);
        socket.send(packet, port, '127.0.0.1');
        sent += 1;
        timer = setTimeout(send, Math.max(0, startMs + sent * 20 - performance.now()));
      };
      send();
    },
    saidBeforeHearingMs: () => (sentBefore === undefined ? undefined : sentBefore * 20),
    heardSound: () => Buffer.concat(payloads),
    stop() {
      clearTimeout(timer);
      socket.close();
    },
  };
}
