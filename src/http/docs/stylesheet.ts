/** Stylesheet of the page at /docs; follows the reader's light or dark mode. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --ground: #ffffff;
  --raised: #f4f5f7;
  --text: #1c2128;
  --quiet: #57606a;
  --line: #d6dae0;
  --link: #0a58ca;
  --get: #0b6e4f;
  --post: #0a58ca;
  --put: #8a5a00;
  --delete: #b3261e;
  --webhook: #6b3fa0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c;
    --raised: #1d2229;
    --text: #e4e7eb;
    --quiet: #a2abb8;
    --line: #353c47;
    --link: #7db4ff;
    --get: #5fd3a8;
    --post: #7db4ff;
    --put: #e8b45a;
    --delete: #ff9b93;
    --webhook: #c9a5f7;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: 0.875em; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 0.5rem; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; align-items: center; justify-content: space-between; padding: 0.75rem 2rem; border-bottom: 1px solid var(--line); }
.product { margin: 0; font-weight: 600; }
.product a { color: var(--text); text-decoration: none; }
form[role=search] { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; font-size: 0.875rem; }
input, button { font: inherit; color: var(--text); background: var(--raised); border: 1px solid var(--quiet); border-radius: 4px; padding: 0.25rem 0.5rem; }
button { cursor: pointer; }
input:focus-visible, button:focus-visible, .wide:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
nav a[aria-current=page] { color: var(--text); font-weight: 600; text-decoration: underline; }
.code { position: relative; }
.copy { position: absolute; top: 0.4rem; right: 0.4rem; font-size: 0.75rem; }
.wide { overflow-x: auto; }
.operations { padding-left: 1.2rem; }
.operations code { color: var(--quiet); overflow-wrap: anywhere; }
.anchor { color: var(--quiet); text-decoration: none; font-weight: normal; }
.where { color: var(--quiet); font-size: 0.875rem; }
.found p { margin: 0.1rem 0 1rem; }
.neighbours { position: static; display: flex; flex-wrap: wrap; gap: 1rem; justify-content: space-between; max-height: none; margin-top: 3rem; padding: 1rem 0; border: 0; border-top: 1px solid var(--line); }
.right { text-align: right; }
main h1 { margin: 0.5rem 0; font-size: 1.6rem; }
main h1 small { color: var(--quiet); font-size: 0.9rem; font-weight: normal; }
.columns { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 1rem 1rem 2rem 2rem; border-right: 1px solid var(--line); font-size: 0.875rem; }
nav h2 { margin: 1rem 0 0.25rem; font-size: 0.875rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { margin: 0.2rem 0; }
nav li a { color: var(--quiet); text-decoration: none; }
nav li a:hover { color: var(--link); text-decoration: underline; }
main { padding: 1rem 2rem 4rem; max-width: 62rem; overflow-wrap: anywhere; }
main h2 { margin: 2.5rem 0 0.5rem; padding-bottom: 0.25rem; border-bottom: 2px solid var(--line); }
main h4 { margin: 1rem 0 0.25rem; font-size: 0.95rem; }
.operation, .schema { margin: 1.5rem 0 2.5rem; }
.operation h3, .schema h3 { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere; }
.operation:target, .schema:target { outline: 2px solid var(--line); outline-offset: 0.75rem; border-radius: 4px; }
.method { display: inline-block; min-width: 4rem; padding: 0.1rem 0.4rem; border: 1px solid currentcolor; border-radius: 4px; font-size: 0.8rem; text-align: center; }
.get { color: var(--get); }
.post { color: var(--post); }
.put, .patch { color: var(--put); }
.delete { color: var(--delete); }
.webhook { color: var(--webhook); }
.path { font-size: 1rem; }
.anchor { color: var(--quiet); text-decoration: none; }
.facts { color: var(--quiet); font-size: 0.875rem; }
pre { margin: 0.5rem 0; padding: 0.75rem 1rem; overflow: auto; max-height: 28rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; line-height: 1.45; }
pre code { font-size: 0.8125rem; }
table { width: 100%; margin: 0.5rem 0 1rem; border-collapse: collapse; font-size: 0.875rem; }
caption { padding: 0.25rem 0; color: var(--quiet); text-align: left; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: break-word; }
tbody code, tbody a { overflow-wrap: anywhere; }
tbody th { width: 30%; font-weight: normal; }
th em { color: var(--delete); font-size: 0.75rem; font-style: normal; }
summary { cursor: pointer; color: var(--quiet); font-size: 0.875rem; }
@media (max-width: 55rem) {
  .columns { display: block; }
  nav { position: static; max-height: 14rem; padding: 0.5rem 1rem 1rem; border-right: 0; border-bottom: 1px solid var(--line); }
  header, main { padding-left: 1rem; padding-right: 1rem; }
}
.picture { display: block; max-width: 100%; height: auto; margin: 1rem 0; border: 1px solid var(--line); border-radius: 6px; }
@media print {
  nav, header form, .skip, .anchor, .copy { display: none; }
  .columns { display: block; }
  pre { max-height: none; white-space: pre-wrap; }
  pre, tr, .picture { break-inside: avoid; }
  h1, h2, h3, h4 { break-after: avoid; }
  main a[href^="https:"]::after { content: " (" attr(href) ")"; font-size: 0.8em; }
}
`;
