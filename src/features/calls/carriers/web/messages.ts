import { frameBytes } from '../../../../telephony/audio/g711.ts';

/** What comes over the socket of a test call (docs/api/test-calls.md). */
export type Incoming =
  | { type: 'audio'; audio: Uint8Array }
  | { type: 'key'; digit: string }
  | { type: 'text'; text: string }
  | { type: 'hangup' };

export const maxMessageBytes = 4096;
const maxFrames = 5;
const maxTextChars = 1000;

/** Undefined for a message that does not belong here. */
export function readMessage(data: Buffer, isBinary: boolean): Incoming | undefined {
  if (isBinary) {
    const frames = data.length / frameBytes;
    return Number.isInteger(frames) && frames >= 1 && frames <= maxFrames
      ? { type: 'audio', audio: Uint8Array.from(data) }
      : undefined;
  }
  const message = parsed(data);
  if (message?.['type'] === 'hangup') return { type: 'hangup' };
  const { digit, text } = message ?? {};
  if (message?.['type'] === 'key' && typeof digit === 'string' && /^[0-9*#A-D]$/.test(digit))
    return { type: 'key', digit };
  if (message?.['type'] === 'text' && typeof text === 'string' && text.length >= 1 && text.length <= maxTextChars)
    return { type: 'text', text };
  return undefined;
}

function parsed(data: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(data.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
