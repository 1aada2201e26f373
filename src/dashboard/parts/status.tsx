import type { ComponentChildren } from 'preact';
import { values } from '../text/en.ts';

/** A state is a shape, a colour and a word: each is enough to tell it by. */
export type Shape = 'ring' | 'disc' | 'half' | 'triangle' | 'diamond' | 'hollow' | 'square';
export type Tone = 'good' | 'warn' | 'bad' | 'live' | 'idle';

const live = ['ring', 'live'] as const;
const good = ['disc', 'good'] as const;
const between = ['half', 'warn'] as const;
const look = ['triangle', 'warn'] as const;
const bad = ['diamond', 'bad'] as const;
const notYet = ['hollow', 'idle'] as const;
const over = ['square', 'idle'] as const;

const looks: Readonly<Record<string, readonly [Shape, Tone]>> = {
  ACTIVE: good,
  active: good,
  completed: good,
  complete: good,
  delivered: good,
  delivering: good,
  goal_met: good,
  may_be_called: good,
  registered: good,
  ok: good,
  running: live,
  in_progress: live,
  processing: live,
  talking: live,
  voicemail: between,
  retrying: between,
  healing: between,
  answered: ['half', 'good'],
  no_answer: look,
  busy: look,
  paused: look,
  stopped: look,
  held: look,
  warn: look,
  failed: bad,
  error: bad,
  failing: bad,
  exhausted: bad,
  do_not_call: bad,
  refused: bad,
  unreachable: bad,
  fail: bad,
  draft: notYet,
  pending: notYet,
  queued: notYet,
  dialing: notYet,
  ringing: notYet,
  invited: notYet,
  registering: notYet,
};

const drawings: Readonly<Record<Shape, ComponentChildren>> = {
  ring: <circle cx="5" cy="5" r="3.5" fill="none" stroke-width="2.5" />,
  disc: <circle cx="5" cy="5" r="4.5" stroke="none" />,
  half: (
    <>
      <circle cx="5" cy="5" r="3.9" fill="none" stroke-width="1.3" />
      <path d="M5 1a4 4 0 0 1 0 8z" stroke="none" />
    </>
  ),
  triangle: <path d="M5 .5 9.7 9.5H.3z" stroke="none" />,
  diamond: <path d="M5 0l5 5-5 5-5-5z" stroke="none" />,
  hollow: <circle cx="5" cy="5" r="3.9" fill="none" stroke-width="1.3" />,
  square: <rect x="1" y="1" width="8" height="8" stroke="none" />,
};

function Mark({ shape, tone }: { shape: Shape; tone: Tone }) {
  return (
    <svg class={`mark ${tone}`} viewBox="0 0 10 10" aria-hidden="true" data-shape={shape}>
      {drawings[shape]}
    </svg>
  );
}

export const valueText = (value: string): string => values[value] ?? value;

type BadgeProps = { value: string; pill?: boolean; children?: ComponentChildren };

/** A state or outcome as a word with its mark. `children`: other words for it. */
export function Status({ value, pill = false, children }: BadgeProps) {
  const [shape, tone] = looks[value] ?? over;
  return (
    <span class={pill ? `badge pill ${tone}` : 'status'}>
      <Mark shape={shape} tone={tone} />
      <span>{children ?? valueText(value)}</span>
    </span>
  );
}

/** Draws the mark of an entry of a legend. */
export function Sample({ shape, tone, name }: { shape: Shape; tone: Tone; name: string }) {
  return (
    <span class="status">
      <Mark shape={shape} tone={tone} />
      {name}
    </span>
  );
}
