import type { App } from '../../../kernel/app.ts';
import { userAgent } from '../../../kernel/user-agent.ts';
import { findAgent } from '../../agents/service.ts';
import type { Call } from '../call.ts';
import { type Analysis, messagesFor, readAnalysis, responseFormat } from './analysis.ts';

type Model = { url: string; model: string | null; apiKey: string | null };

/** The model that analyzes ended calls: that of `analysis`, else that of `speech.llm`. Null: none is configured. */
export function analysisModel({ config }: Pick<App, 'config'>): Model | null {
  const { analysis, speech } = config as App['config'] & { speech?: { llm?: typeof analysis } };
  const { url, model, api_key: apiKey } = analysis.url === null ? (speech?.llm ?? analysis) : analysis;
  return url === null ? null : { url, model, apiKey };
}

/** An answer holds five texts; a longer one is none. */
const maxAnswerBytes = 256 * 1024;

/** The first choice's content in an answer of /chat/completions. */
function contentIn(body: string): string {
  const answer = JSON.parse(body) as { choices?: Array<{ message?: { content?: unknown } }> };
  const content = answer.choices?.[0]?.message?.content;
  return typeof content === 'string' ? content : '';
}

/**
 * Has a model summarize a call. A null model is left out of the request, since some servers have but one.
 * @throws an Error that says why there is no analysis
 */
export async function analyze(app: App, call: Call, timeoutMs: number): Promise<Analysis> {
  const service = analysisModel(app);
  if (service === null) throw new Error('no model is configured any more');
  const agent = await findAgent(app.db, call.orgId, call.agentId);
  const { url, model, apiKey } = service;
  const response = await app.upstream.request(url, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': userAgent(app),
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({
      ...(model === null ? {} : { model }),
      messages: messagesFor(call, agent?.prompt ?? null),
      response_format: responseFormat,
    }),
    timeoutMs,
    maxResponseBytes: maxAnswerBytes,
    keepBytes: maxAnswerBytes,
  });
  if (response.statusCode !== 200) throw new Error(`the service answered ${response.statusCode}`);
  const analysis = readAnalysis(contentIn(response.responseStart));
  if (analysis === null) throw new Error('the model did not answer the object that was asked for');
  return analysis;
}
