import { randomInt } from 'node:crypto';
import { noTap } from '../audio/tap.ts';
import { type MediaEvents, type MediaSession, offeredPayloadTypes, type RemoteMedia } from '../media/session.ts';
import type { Hop } from '../transport/hop.ts';
import { type Context, type PhoneSettings, refusedAddress } from './context.ts';
import { describe, offeredCodecs, readDescription, type RemoteAudio } from './session-description.ts';

/** Our side of the offers and answers of one call. */
export type Audio = {
  session: MediaSession;
  /** The session description agreed on last; null before the first answer. */
  agreed: RemoteMedia | null;
  /** A new offer. After an agreement it offers what was agreed on. */
  offer(localHost: string): Buffer;
  /** Applies the other side's answer; returns why it cannot be used, as a sentence. */
  applyAnswer(body: Buffer): string | null;
  /** Applies the other side's offer and returns our answer, or why the offer cannot be used. */
  answer(body: Buffer, localHost: string): { body: Buffer } | { fault: string };
};

/** Whether the sound of a call whose signalling takes this hop is to be encrypted. */
export const usesSrtp = ({ srtp }: PhoneSettings, { transport }: Hop): boolean =>
  srtp === 'required' || (srtp === 'auto' && transport === 'tls');

/** @throws NoFreePort when every pair of media ports is taken */
export async function openAudio(
  context: Context,
  hop: Hop,
  callId: string,
  events: Omit<MediaEvents, 'transfer'>,
): Promise<Audio> {
  const session = await context.media.open({
    srtp: usesSrtp(context.settings, hop),
    speech: () => context.speech.open(callId),
    tap: () => context.speech.tapOf?.(callId) ?? noTap,
    events: { ...events, transfer: (to) => context.speech.transfer(callId, to) },
  });
  return createAudio(context, session);
}

function createAudio(context: Context, session: MediaSession): Audio {
  const { codecs } = context.settings;
  const sessionId = String(randomInt(1, 2 ** 47));
  let version = 0;
  const wanted = { codecs, srtp: session.localKey !== null };

  const local = (address: string) => ({
    address,
    port: session.localPort,
    version: (version += 1),
    sessionId,
    key: session.localKey,
  });

  function apply({ remote }: RemoteAudio): string | null {
    const isUnset = remote.address === '0.0.0.0' || remote.address === '::';
    if (!isUnset && !context.isAllowed(remote.address)) return refusedAddress('media address', remote.address);
    audio.agreed = remote;
    session.start(remote);
    return null;
  }

  const audio: Audio = {
    session,
    agreed: null,
    offer: (address) =>
      describe(
        {
          ...local(address),
          codecs: offeredCodecs(audio.agreed === null ? codecs : [audio.agreed.codec]),
          dtmfPayloadType: offeredPayloadTypes.telephoneEvent,
          direction: 'sendrecv',
        },
        null,
      ),
    applyAnswer(body) {
      const read = readDescription(body, wanted);
      return 'fault' in read ? sentence(read.fault) : apply(read);
    },
    answer(body, address) {
      const read = readDescription(body, wanted);
      if ('fault' in read) return { fault: sentence(read.fault) };
      const fault = apply(read);
      if (fault !== null) return { fault };
      const { codec, payloadType, dtmfPayloadType, direction } = read.remote;
      const own = { ...local(address), codecs: [{ codec, payloadType }], dtmfPayloadType, direction };
      return { body: describe(own, read) };
    },
  };
  return audio;
}

const sentence = (fault: string): string => `The other side's sound cannot be used: ${fault}.`;
