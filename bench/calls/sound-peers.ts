/** The other ends of the calls of sound.ts, in a process of their own. Argument: how many calls. */
import { startPeers } from '../../test/support/sip/peers.ts';

const peers = await startPeers(Number(process.argv[2]));
process.on('message', (message: { talkTo: number[] } | 'received') => {
  if (message === 'received') process.send!(peers.received());
  else peers.talkTo(message.talkTo);
});
process.on('disconnect', () => process.exit(0));
process.send!(peers.ports);
