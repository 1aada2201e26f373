import { html } from '../docs/html.ts';

type Head = { style: string; icon: string };

/** The HTML of a page of the dashboard, the same for everybody: its script asks for whatever it shows. */
export const page = ({ style, icon, script, preloads }: Head & { script: string; preloads: string[] }): string =>
  html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>parley</title>
        <link rel="icon" type="image/svg+xml" href="${icon}" />
        <link rel="stylesheet" href="${style}" />
        <script type="module" src="${script}"></script>
        ${preloads.map((url) => html`<link rel="modulepreload" href="${url}" />`)}
      </head>
      <body>
        <noscript>The dashboard needs JavaScript. Switch it on for this address, and load the page again.</noscript>
      </body>
    </html> `.markup;

/** A page without scripts. */
export const errorPage = (heading: string, paragraphs: readonly string[], head?: Head): string =>
  html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${heading} · parley</title>
        ${head ? html`<link rel="icon" type="image/svg+xml" href="${head.icon}" />` : ''}
        ${head ? html`<link rel="stylesheet" href="${head.style}" />` : ''}
      </head>
      <body>
        <main class="alone">
          <h1>${heading}</h1>
          ${paragraphs.map((text) => html`<p>${text}</p>`)}
          <p><a href="/">To the overview</a></p>
        </main>
      </body>
    </html> `.markup;
