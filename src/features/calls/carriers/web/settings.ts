import { integer, section } from '../../../../base/config/kinds.ts';
import type { Static } from '../../../../base/typebox.ts';
import type { speechSettings } from '../../../../talking/speech/settings.ts';

export const webSettings = {
  web_calls: section({
    max: integer(10, 'Test calls from browsers and programs that may be live at once.', { minimum: 0 }),
    max_duration_sec: integer(600, 'Longest test call, in seconds.'),
  }),
};

export type WebSettings = Static<(typeof webSettings)['web_calls']>;
export type Speech = Static<typeof speechSettings>;
