import { hash } from 'node:crypto';
import { createClient } from './client.ts';
import { type Day, dayBegins, liveThrough } from './day.ts';
import { createNames, type Names } from './names.ts';
import { startProgram } from './program.ts';
import { type Arrival, startReceiver } from './receiver.ts';
import { snapshot, snapshotOfDetails } from './snapshot.ts';

/** Parts of a recording in their order, each with its title and lines. */
export type Recording = Array<{ title: string; lines: string[] }>;

/**
 * Lives through a made-up day of two organizations against the server of a checkout, over HTTP alone, and returns what was delivered to
 * webhooks and what all lists showed. Two versions of parley that behave alike make the same recording.
 */
export async function recordDay(checkout: string): Promise<Recording> {
  const receiver = await startReceiver();
  const program = await startProgram(checkout, dayBegins);
  const names = createNames(receiver.url);
  const notes: string[] = [];
  const recording: Recording = [];
  try {
    const south = program.newOrganization('South');
    names.add(program.orgId, 'North');
    names.add(south.orgId, 'South');
    const of = (organization: string, apiKey: string) =>
      createClient({ url: program.url, apiKey, organization, notes });
    const clients = { north: of('North', program.apiKey), south: of('South', south.apiKey) };
    const noteFor = (title: string) => (what: string, lines: readonly string[]) =>
      void recording.push({ title: `${title}: ${what}`, lines: [...lines] });
    const day: Day = {
      ...clients,
      names,
      receiver,
      async advanceTo(to) {
        const answer = await fetch(`${program.url}/api/v1/test-clock/advance`, {
          method: 'POST',
          headers: { 'x-api-key': program.apiKey, 'content-type': 'application/json' },
          body: JSON.stringify({ to }),
        });
        if (!answer.ok) throw new Error(await answer.text());
      },
      async record(title) {
        for (const client of [clients.north, clients.south]) {
          await snapshot(client, names, noteFor(`${client.organization} ${title}`));
        }
      },
    };
    await liveThrough(day);
    for (const client of [clients.north, clients.south]) {
      await snapshotOfDetails(client, names, noteFor(client.organization));
    }
  } finally {
    await program.stop();
    receiver.stop();
  }
  recording.push({ title: 'Answers', lines: notes.map((note) => names.plain(note)) });
  recording.push(...deliveredOf(receiver.arrivals, names));
  return recording;
}

function deliveredOf(arrivals: readonly Arrival[], names: Names): Recording {
  const bodies = new Set(arrivals.map(({ eventId, body }) => names.plain(`${eventId}\n${body}`)));
  const requests = arrivals.map(({ path, eventId, number, headers, signedWith, answer }) => {
    const plain = names.plain(JSON.stringify(headers));
    return names.plain(
      `${path} ${eventId} ${number} -> ${answer}, signed with ${signedWith.toSorted().join(' and ')} ${plain}`,
    );
  });
  return [
    { title: 'Delivered bodies', lines: [...bodies].toSorted() },
    { title: 'Delivered requests', lines: requests.toSorted() },
  ];
}

/** Digests by campaign and moment, small enough to be kept. */
export function digestsOf(recording: Recording): Record<string, string> {
  const texts = new Map<string, string>();
  for (const { title, lines } of recording) {
    const [about = ''] = title.split(' /');
    texts.set(about, `${texts.get(about) ?? ''}${title}\n${lines.join('\n')}\n`);
  }
  return Object.fromEntries([...texts].map(([title, text]) => [title, hash('sha256', text).slice(0, 12)]));
}

export const textOf = (recording: Recording): string =>
  recording.map(({ title, lines }) => `## ${title}\n${lines.join('\n')}\n`).join('\n');
