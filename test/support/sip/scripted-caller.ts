import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { pause } from '../../../src/base/clock.ts';
import { encode } from '../../../src/telephony/audio/g711.ts';
import { voiceLike } from '../listening/sounds.ts';

/**
 * The sound of a caller who waits for what he hears before he says something, so that a busy machine makes a conversation slower and nothing
 * else. µ-law, without a share of the program's RTP.
 */
export type ScriptedCaller = {
  port: number;
  /** Sends a packet every 20 ms to this port of loopback from now on: what is said, else silence. */
  talkTo(port: number): void;
  /** Says something for so long, frame by frame; resolves when it is sent. */
  say(ms: number): Promise<void>;
  /** Resolves when this much of the agent's sound was heard since the last call of a function. */
  hears(ms: number): Promise<void>;
  /** Resolves when something was heard since the last call of a function, and then nothing for so long. */
  hearsOut(ms: number): Promise<void>;
  /** The keys that were pressed for it (RFC 4733). */
  keys(): string;
  /** Packets with sound so far. */
  heardFrames(): number;
  stop(): void;
};

const frameMs = 20;
/** The type of key presses in `audioOf`, and the keys by their event. */
const keyType = 101;
const keyNames = '0123456789*#ABCD';
const isSilent = (payload: Uint8Array): boolean => payload.every((byte) => byte === 0xff || byte === 0x7f);

export async function startScriptedCaller(): Promise<ScriptedCaller> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const saying: Uint8Array[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sent = 0;
  let heard = 0;
  let sinceMark = 0;
  let quiet = 0;
  /** By the time of the press: each key comes in many packets. */
  const keys = new Map<number, string>();

  socket.on('message', (packet) => {
    if ((packet[1]! & 0x7f) === keyType) keys.set(packet.readUInt32BE(4), keyNames[packet[12]!] ?? '?');
    if ((packet[1]! & 0x7f) !== 0) return;
    if (isSilent(packet.subarray(12))) return void (quiet += 1);
    heard += 1;
    sinceMark += 1;
    quiet = 0;
  });

  async function until(isReached: () => boolean): Promise<void> {
    while (!isReached()) await pause(10);
    sinceMark = 0;
  }

  return {
    port: socket.address().port,
    talkTo(port) {
      const startMs = performance.now();
      const send = (): void => {
        const packet = Buffer.alloc(172, 0xff);
        packet.writeUInt16BE(0x8000, 0);
        packet.writeUInt16BE(sent & 0xffff, 2);
        packet.writeUInt32BE((sent * 160) >>> 0, 4);
        packet.writeUInt32BE(99, 8);
        packet.set(saying.shift() ?? [], 12);
        socket.send(packet, port, '127.0.0.1');
        sent += 1;
        timer = setTimeout(send, Math.max(0, startMs + sent * frameMs - performance.now()));
      };
      send();
    },
    say(ms) {
      const sound = encode('PCMU', voiceLike(ms));
      for (let at = 0; at < sound.length; at += 160) saying.push(sound.subarray(at, at + 160));
      return until(() => saying.length === 0);
    },
    hears: (ms) => until(() => sinceMark * frameMs >= ms),
    hearsOut: (ms) => until(() => sinceMark > 0 && quiet * frameMs >= ms),
    keys: () => [...keys.values()].join(''),
    heardFrames: () => heard,
    stop() {
      clearTimeout(timer);
      socket.close();
    },
  };
}
