import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embed } from '../../../src/search/embeddings/client.ts';
import { createTestApp } from '../../support/app.ts';
import { startFakeEmbeddings } from '../../support/fake-embeddings.ts';

test('an endpoint that repeats the API key does not bring it into an error, which would be logged', async (t) => {
  const [endpoint, testing] = await Promise.all([startFakeEmbeddings(), createTestApp()]);
  t.after(() => Promise.all([endpoint.close(), testing.close()]));
  const apiKey = 'sk-0123456789abcdef';
  const settings = { url: endpoint.url, model: 'test', apiKey, dimensions: null };
  const answers = [
    { status: 401, body: `{"error":{"message":"Incorrect API key provided: ${apiKey}"}}` },
    { status: 500, body: `${'x'.repeat(290)} ${apiKey}` },
    { status: 200, body: `${apiKey} is not JSON` },
  ];
  for (const answer of answers) {
    endpoint.fault = () => answer;
    await assert.rejects(embed(testing.app, settings as never, ['text'], { timeoutMs: 5000 }), (error: Error) => {
      assert.doesNotMatch(`${error.message} ${JSON.stringify(error.cause ?? '')} ${error.stack}`, /sk-01/);
      return true;
    });
  }
});
