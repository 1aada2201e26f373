/**
 * The other ends of the calls of sound.ts, in a process of their own. Arguments: how many calls; `in-turns`, if they speak for 2 s and listen
 * for 4 s instead of sending a tone.
 */
import { encode } from '../../src/telephony/audio/g711.ts';
import { join, silence, voiceLike } from '../../test/support/listening/sounds.ts';
import { startPeers } from '../../test/support/sip/peers.ts';

const turn = process.argv[3] === 'in-turns' ? encode('PCMU', join(voiceLike(2000), silence(4000))) : undefined;
const peers = await startPeers(Number(process.argv[2]), undefined, turn);
process.on('message', (message: { talkTo: number[] } | 'received') => {
  if (message === 'received') process.send!(peers.received());
  else peers.talkTo(message.talkTo);
});
process.on('disconnect', () => process.exit(0));
process.send!(peers.ports);
