import { isoOrNull } from '../../../base/clock.ts';
import { boolean, id, integer, list, nullable, object, timestamp, Type } from '../../../kernel/schema.ts';
import { actorSchema, presentActor } from '../../requests/actor-wire.ts';
import type { Calling } from './stop.ts';

export const named = { id: id('campaign'), name: Type.String() };
const heldCampaigns = () =>
  list(object(named), { description: 'The campaigns that the stop held; of more than 1,000 the first' });
const inFlight = () =>
  object(
    { ringing: integer({ description: 'Calls that have not been answered' }), talking: integer() },
    { title: 'CallsInFlight', description: 'Calls to telephones; incoming calls and test calls do not count' },
  );

export const stopFacts = {
  by: nullable(actorSchema()),
  reason: nullable(Type.String()),
  campaigns: heldCampaigns(),
  in_flight: inFlight(),
};

export const callingSchema = object(
  { stopped: boolean(), stopped_at: nullable(timestamp()), ...stopFacts },
  { title: 'Calling' },
);

export const presentFacts = ({ stop: facts, campaigns, inFlight: calls }: Calling) => ({
  by: facts?.by ? presentActor(facts.by) : null,
  reason: facts?.reason ?? null,
  campaigns,
  in_flight: calls,
});

export const presentCalling = (calling: Calling) => ({
  stopped: calling.stop !== null,
  stopped_at: isoOrNull(calling.stop?.at ?? null),
  ...presentFacts(calling),
});
