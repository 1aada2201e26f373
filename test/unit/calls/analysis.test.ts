import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { messagesFor, readAnalysis } from '../../../src/features/calls/analysis/analysis.ts';

const given = { summary: 'S', sentiment: 'positive', disposition: 'D', goals_met: true, next_steps: '' };
const { summary, ...analysis } = given;

test('the object is found behind reasoning and inside a fence', () => {
  const text = JSON.stringify(given);
  for (const content of [
    text,
    `<think>{"summary": 1}</think>\n${text}`,
    `\`\`\`json\n${text}\n\`\`\``,
    `Here it is: ${text}`,
  ])
    assert.deepEqual(readAnalysis(content), { summary, analysis }, content);
});

test('an object that lacks a member or has another type in it is none', () => {
  assert.equal(readAnalysis(''), null);
  assert.equal(readAnalysis('[]'), null);
  for (const name of Object.keys(given)) {
    assert.equal(readAnalysis(JSON.stringify({ ...given, [name]: undefined })), null, name);
    assert.equal(readAnalysis(JSON.stringify({ ...given, [name]: 7 })), null, name);
  }
});

test('whatever a model answers, reading it throws nothing', () => {
  fc.assert(fc.property(fc.string(), (content) => void readAnalysis(content)));
  fc.assert(fc.property(fc.json(), (content) => void readAnalysis(content)));
});

test('a long conversation is cut at its beginning', () => {
  const said = (number: number) => ({
    id: String(number),
    timestamp_ms: number,
    role: number % 2 === 0 ? ('agent' as const) : ('user' as const),
    message: { content: `sentence ${number}`, format: 'text' as const },
    created_at: '',
  });
  const transcripts = Array.from({ length: 10_000 }, (_, number) => said(number));
  const [system, user] = messagesFor({ agentName: 'Robin', transcripts }, 'Book an appointment.');
  assert.match(system!.content, /Robin/);
  assert.match(user!.content, /Book an appointment\./);
  assert.match(user!.content, /Other party: sentence 9999/);
  assert.doesNotMatch(user!.content, /sentence 12\n/);
  assert.ok(user!.content.length < 100_000);
});
