import type { Lateness } from './lateness.ts';
import { mediaCounts } from './metrics.ts';
import { createPacer } from './pacer.ts';
import { createPorts } from './ports.ts';
import { openSession } from './rtp-session.ts';
import type { Media, MediaSession, MediaSettings } from './session.ts';

/** The sound of the worker's calls, with how punctually it is sent. */
export type PacedMedia = Media & { lateness: Lateness; skippedSlots(): number };

export function createMedia(settings: MediaSettings): PacedMedia {
  const ports = createPorts(settings.host, settings.portMin, settings.portMax);
  const pacer = createPacer();
  const counts = mediaCounts();
  const sessions = new Set<MediaSession>();
  const lostIn = (session: MediaSession): number => session.stats().packets_lost;

  return {
    async open(options) {
      const pair = await ports.open();
      const session = openSession({
        ports: pair,
        pacer,
        counts,
        settings,
        options,
        onClose(ended) {
          sessions.delete(ended);
          counts.lost += lostIn(ended);
        },
      });
      sessions.add(session);
      return session;
    },
    metrics: () => counts.snapshot([...sessions].reduce((sum, session) => sum + lostIn(session), 0)),
    lateness: pacer.lateness,
    skippedSlots: () => pacer.skippedSlots(),
    close() {
      for (const session of sessions) session.close();
      pacer.stop();
    },
  };
}
