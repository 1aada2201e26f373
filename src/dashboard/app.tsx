import { effect } from '@preact/signals';
import { render } from 'preact';
import { Shell } from './app/shell.tsx';
import { announceKept } from './state/announce.ts';
import { path } from './state/location.ts';
import { loadSession, session } from './state/session.ts';
import { preload } from './app/routes.ts';
import './state/clock.ts';

/** The dashboard's entry: asks who is logged in while the page's own script loads, then shows the page. */

preload(path.peek());
render(<Shell />, document.body);
loadSession()
  .then(announceKept)
  .catch(() => void (session.value = null));

effect(() => {
  if (session.value === undefined) document.documentElement.setAttribute('aria-busy', 'true');
  else document.documentElement.removeAttribute('aria-busy');
});
