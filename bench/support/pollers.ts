import { Agent, get } from 'node:http';
import { serveParent } from './child.ts';

/**
 * Pages that ask again once a second instead of holding a stream. Arguments: address of the server, number of pages, key, paths that each
 * page asks for.
 */
const [url, pages, key, ...paths] = process.argv.slice(2) as [string, string, string, ...string[]];

const everyMs = 1000;
const agent = new Agent({ keepAlive: true });
let bytes = 0;
let answers = 0;

function ask(path: string): void {
  get(`${url}${path}`, { agent, headers: { 'x-api-key': key } }, (answer) => {
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
    answer.on('data', (chunk: Buffer) => void (bytes += chunk.length));
    answer.on('end', () => void answers++);
  });
}

for (let page = 0; page < Number(pages); page++) {
  // Spread over the second, as pages that were opened one after the other.
  setTimeout(() => setInterval(() => paths.forEach(ask), everyMs), (page / Number(pages)) * everyMs);
}
serveParent({ pages: Number(pages) }, () => {
  const figures = { bytes, answers };
  [bytes, answers] = [0, 0];
  return figures;
});
