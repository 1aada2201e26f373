import { type Codec, transcode } from '../../../telephony/audio/g711.ts';
import { greetingBase64 } from './greeting.generated.ts';

const muLaw = Buffer.from(greetingBase64, 'base64');

/** The spoken greeting (.build/generate-greeting.ts makes it). All calls share the bytes. */
export const greeting: Readonly<Record<Codec, Uint8Array>> = {
  PCMU: muLaw,
  PCMA: transcode('PCMU', 'PCMA', muLaw),
};
