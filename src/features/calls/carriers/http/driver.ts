import { carrierDriver } from '../driver.ts';
import { httpCarrier } from './carrier.ts';
import { reportCallEvent } from './event-routes.ts';
import { healthOf } from './health.ts';
import { queryCallKnowledge } from './knowledge-routes.ts';
import { httpSettings, missingSettings } from './settings.ts';

/** Hands calls to an external voice runtime, which reports them by signed callbacks. */
export const httpDriver = carrierDriver({
  name: 'http',
  summary: 'an external voice runtime',
  simulated: false,
  settings: httpSettings,
  missing: (settings, config) => missingSettings(settings['carrier.http'], config),
  create({ settings, publicUrl }) {
    const own = settings['carrier.http'];
    return {
      carrier: httpCarrier(own, publicUrl),
      // oxfmt-ignore
      routes: [
        ['POST', '/api/v1/calls/{id}/events',    reportCallEvent(own),    'public'],
        ['POST', '/api/v1/calls/{id}/knowledge', queryCallKnowledge(own), 'public'],
      ],
      health: (app) => healthOf(app, own),
    };
  },
});
