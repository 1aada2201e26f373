import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { type Request } from '../message/message.ts';
import { isFault, parseMessage } from '../message/parse.ts';
import { writeMessage } from '../message/write.ts';
import type { Hop } from '../transport/hop.ts';
import type { Dialog } from './dialog-state.ts';

/**
 * The dialogs that this process has at other sides, in a file, so that its successor can end those that a crash left. It is written before
 * each INVITE and each ACK. The database cannot serve here: between a 200 and the commit of its row, a killed process would leave a call
 * that nobody can name.
 */
export type Journal = {
  invited(callId: string, invite: Request, hop: Hop): void;
  answered(callId: string, dialog: Dialog): void;
  /** Nothing is left at the other side. */
  ended(callId: string): void;
  close(): void;
};

/** A dialog that a previous process left behind: an answered call, or an INVITE that may be ringing. */
export type Leftover = { callId: string; dialog: Dialog } | { callId: string; invite: Request; hop: Hop };

type Line =
  | { call: string; invite: string; hop: Hop }
  | { call: string; dialog: Omit<Dialog, 'credentials'> & { credentials?: undefined } }
  | { call: string; ended: true };

/** The file is emptied once it has this size and no call is live. */
const maxBytes = 1_048_576;

export const noJournal: Journal = {
  invited: () => undefined,
  answered: () => undefined,
  ended: () => undefined,
  close: () => undefined,
};

/** Reads what a previous process left, and begins anew. Damaged lines are skipped: the last one may be cut off. */
export function openJournal(
  path: string,
  onFault: (error: unknown) => void,
): { journal: Journal; leftovers: Leftover[] } {
  const leftovers = existsSync(path) ? leftoversIn(readFileSync(path, 'utf8')) : [];
  const file = openSync(path, 'a', 0o600);
  const live = new Set(leftovers.map(({ callId }) => callId));
  let bytes = 0;
  let isFaulty = false;

  function add(line: Line): void {
    try {
      bytes += writeSync(file, `${JSON.stringify(line)}\n`);
    } catch (error) {
      if (!isFaulty) onFault(error); // once: calls go on without it
      isFaulty = true;
    }
  }

  return {
    leftovers,
    journal: {
      invited(call, invite, hop) {
        live.add(call);
        const headers = invite.headers.filter(([name]) => !/authorization$/i.test(name));
        add({ call, hop, invite: writeMessage({ ...invite, headers }).toString('utf8') });
      },
      answered: (call, dialog) => add({ call, dialog: { ...dialog, credentials: undefined } }),
      ended(call) {
        live.delete(call);
        add({ call, ended: true });
        if (live.size > 0 || bytes < maxBytes) return;
        ftruncateSync(file);
        bytes = 0;
      },
      close() {
        if (live.size === 0) ftruncateSync(file);
        closeSync(file);
      },
    },
  };
}

function leftoversIn(text: string): Leftover[] {
  const found = new Map<string, Leftover>();
  for (const line of text.split('\n')) {
    const entry = parseLine(line);
    if (entry === undefined) continue;
    const callId = entry.call;
    if ('ended' in entry) found.delete(callId);
    else if ('dialog' in entry) found.set(callId, { callId, dialog: leftDialog(entry.dialog) });
    else {
      const invite = parseMessage(Buffer.from(entry.invite));
      if (!isFault(invite) && 'method' in invite) found.set(callId, { callId, invite, hop: entry.hop });
    }
  }
  return [...found.values()];
}

/** Requests that the previous process sent after it wrote the line had higher numbers; the other side refuses lower ones. */
const seqGap = 1000;

const leftDialog = (dialog: Omit<Dialog, 'credentials'>): Dialog => ({
  ...dialog,
  localSeq: dialog.localSeq + seqGap,
  credentials: null,
});

function parseLine(line: string): Line | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as Line);
  } catch {
    return undefined;
  }
}
