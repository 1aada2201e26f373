import { integer, list, nullable, object, oneOf, optional, text } from '../../kernel/schema.ts';
import { callStatuses } from './call.ts';

const maxLines = 500;
const maxLineLength = 4000;

/** How a simulated call has to go (docs/api/calls.md, "Scripted calls"). Fields that are left out are as for a number ending in 00. */
export const scriptedCallSchema = object(
  {
    outcome: oneOf(callStatuses),
    ring_ms: optional(
      integer({ minimum: 0, maximum: 600_000, description: 'Rings this long before outcome or answer' }),
    ),
    talk_ms: optional(
      integer({
        minimum: 0,
        maximum: 7_200_000,
        description: 'Lasts this long after the answer; busy and no_answer have none',
      }),
    ),
    transcript: optional(
      list(object({ role: oneOf(['agent', 'user']), text: text(maxLineLength) }), {
        maxItems: maxLines,
        description: 'What is said, spread evenly over `talk_ms`',
      }),
    ),
    summary: optional(nullable(text(10_000))),
  },
  { title: 'ScriptedCall', description: 'Only with the simulated carrier: how the call goes' },
);

export const notSimulated = 'only the simulated carrier takes it, and the caller number has another';
