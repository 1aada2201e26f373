import type { App } from './app.ts';

/** Something that every app has one of, made when it is first asked for: what a feature remembers as long as the process lives. */
export function appLocal<T extends object>(make: (app: App) => T): (app: App) => T {
  const made = new WeakMap<App, T>();
  return (app) => {
    const known = made.get(app) ?? make(app);
    made.set(app, known);
    return known;
  };
}
