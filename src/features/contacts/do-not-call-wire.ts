import { isoOrNull } from '../../base/clock.ts';
import { boolean, nullable, object, timestamp, Type } from '../../kernel/schema.ts';
import { actorSchema, presentActor } from '../requests/actor-wire.ts';
import type { DoNotCallState } from './do-not-call-state.ts';

export const doNotCallStateSchema = object(
  {
    may_be_called: boolean({ description: 'False where the phone is on the list, or a contact with it is opted out' }),
    on_list: boolean({ description: 'The phone is on the do-not-call list' }),
    opted_out: boolean({ description: 'This contact, or another one with the phone, is flagged do_not_call' }),
    since: nullable(timestamp('When the older of the two began')),
    reason: nullable(Type.String()),
    by: nullable(actorSchema()),
  },
  { title: 'DoNotCallState' },
);

export const presentDoNotCallState = ({ onList, optedOut, first }: DoNotCallState) => ({
  may_be_called: !onList && !optedOut,
  on_list: onList,
  opted_out: optedOut,
  since: isoOrNull(first?.at ?? null),
  reason: first?.reason ?? null,
  by: first?.by ? presentActor(first.by) : null,
});
