import { conflict } from '../../../../base/errors.ts';
import { counter, gauge } from '../../../../base/metric.ts';
import type { Carrier, Controlled } from '../carrier.ts';
import { speechSettings } from '../../../../talking/speech/settings.ts';
import { carrierDriver, settingsIn } from '../driver.ts';
import { endLostCalls } from '../sip/call-registry.ts';
import { costOf } from '../sip/cost.ts';
import { sharedThread } from '../thread/shared-thread.ts';
import { createWebChannel, type WebChannel } from './channel.ts';
import type { WebTimes } from './live.ts';
import { createTestCall } from './routes.ts';
import { webSettings } from './settings.ts';

const name = 'web';

const refused = (reason: string): Promise<Controlled> => Promise.resolve({ done: false, reason });

const carrierOf = (channel: () => WebChannel | undefined): Carrier => ({
  maxRequestMs: 0,
  // A test call is never dialed: its client connects.
  dial: () => Promise.resolve({ accepted: false, reason: 'This is a test call.' }),
  knows: () => Promise.resolve(true),
  hangUp(_app, call) {
    channel()?.hangUp(call.id);
    return Promise.resolve();
  },
  costOf,
  control: {
    sendDigits: () => refused('This is a test call; it has no keys.'),
    transfer: () => refused('This is a test call; it cannot be transferred.'),
    async say(_app, call, text) {
      const done = await channel()?.say(call.id, text);
      return done ? { done } : { done: false, reason: 'The agent cannot say it now.' };
    },
  },
});

/** Test calls: a browser or a program talks to an agent without a telephone. `times` differ in tests alone. */
export const createWebDriver = (times?: WebTimes) =>
  carrierDriver({
    name,
    summary: 'test calls',
    isInternal: true,
    simulated: true,
    settings: webSettings,
    create({ settings: { web_calls: settings } }) {
      let channel: WebChannel | undefined;
      const running = (): WebChannel => {
        if (!channel) throw conflict('The server is starting or stopping.');
        return channel;
      };
      return {
        carrier: carrierOf(() => channel),
        // oxfmt-ignore
        routes: [
        ['POST', '/api/v1/agents/{id}/test-calls', createTestCall(settings, running), 'member'],
      ],
        async start(app) {
          channel = createWebChannel(app, settings, settingsIn(app.config, { speech: speechSettings }).speech, times);
          sharedThread(app).channel = channel;
          await endLostCalls(app, name);
        },
        async stop() {
          const stopping = channel;
          channel = undefined;
          await stopping?.stop();
        },
        upgrade: (request, socket, head) => channel?.upgrade(request, socket, head) ?? false,
        metrics: async () => [
          gauge('parley_web_calls', 'Test calls that are live.', [{ value: channel?.live() ?? 0 }]),
          counter(
            'parley_web_calls_dropped_seconds_total',
            'Sound of test calls that came more than 200 ms ahead of time and was dropped, in seconds.',
            [{ value: (await channel?.droppedSec().catch(() => 0)) ?? 0 }],
          ),
        ],
        health: () => Promise.resolve({ status: 'ok', message: 'test calls need nothing else' }),
      };
    },
  });

export const webDriver = createWebDriver();
