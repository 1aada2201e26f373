import { createSocket, type Socket } from 'node:dgram';
import { tone } from '../../../src/telephony/audio/tone.ts';
import { writeRtp } from '../../../src/telephony/media/rtp.ts';

/** The other ends of many calls: each sends a tone or another sound, 50 packets a second, spread over the 20 ms. */
export type Peers = {
  /** The port of each call's peer; ten peers share one. */
  ports: number[];
  talkTo(ports: readonly number[]): void;
  received(): number;
  stop(): void;
};

const callsPerSocket = 10;
const frameBytes = 160;
/** Each call is ahead of the one before in its sound by this much, so that they do not all pause at once. */
const aheadFrames = 7;

/** `sound`: G.711 in whole packets, which is repeated. */
export async function startPeers(
  calls: number,
  onPacket: () => void = () => undefined,
  sound = tone('PCMU', 440, 1000),
): Promise<Peers> {
  const sockets: Socket[] = [];
  let received = 0;
  for (let at = 0; at < calls; at += callsPerSocket) {
    const socket = createSocket({
      type: 'udp4',
      recvBufferSize: 1 << 20,
      lookup: (address, _options, done) => done(null, address, 4),
    });
    await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve));
    socket.on('message', () => {
      received += 1;
      onPacket();
    });
    sockets.push(socket);
  }
  const socketOf = (call: number): Socket => sockets[Math.floor(call / callsPerSocket)]!;
  let timer: NodeJS.Timeout | undefined;

  function send(call: number, slot: number, port: number): void {
    const at = ((slot + call * aheadFrames) * frameBytes) % sound.length;
    const packet = {
      payloadType: 0,
      marker: slot === 0,
      sequence: slot & 0xffff,
      timestamp: slot * frameBytes,
      ssrc: call + 1,
    };
    socketOf(call).send(writeRtp({ ...packet, payload: sound.subarray(at, at + frameBytes) }), port, '127.0.0.1');
  }

  return {
    ports: Array.from({ length: calls }, (_, call) => socketOf(call).address().port),
    talkTo(ports) {
      const startMs = performance.now();
      /** How many parts of 2 ms have been sent. In each part, a tenth of the calls sends a packet. */
      let done = 0;
      timer = setInterval(() => {
        for (const due = Math.floor((performance.now() - startMs) / 2); done < due; done += 1) {
          for (let call = done % 10; call < calls; call += 10) send(call, Math.floor(done / 10), ports[call]!);
        }
      }, 2);
    },
    received: () => received,
    stop() {
      clearInterval(timer);
      for (const socket of sockets) socket.close();
    },
  };
}
