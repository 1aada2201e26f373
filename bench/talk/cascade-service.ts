/**
 * A service that hears, thinks and speaks for calls of the engine `cascade`, in a process of its own. It answers at once: with the same words,
 * with two sentences, and with 1.5 s of a tone for each of them.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const sentenceMs = 1500;
const spoken = Buffer.from(
  Int16Array.from({ length: sentenceMs * 24 }, (_, at) => Math.round(6500 * Math.sin((2 * Math.PI * at) / 24))).buffer,
);
const words = ['One moment', ' please. ', 'It is', ' done. '].map((content) => ({ choices: [{ delta: { content } }] }));
const stream = [...words.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('');

const answers: Record<string, { type: string; body: string | Buffer }> = {
  '/stt': { type: 'application/json', body: JSON.stringify({ text: 'What is the time?' }) },
  '/llm': { type: 'text/event-stream', body: stream },
  '/tts': { type: 'audio/pcm', body: spoken },
};

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const { type, body } = answers[request.url!]!;
    response.writeHead(200, { 'content-type': type }).end(body);
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('disconnect', () => process.exit(0));
process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
