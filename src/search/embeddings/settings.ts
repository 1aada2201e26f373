import { ConfigError, faultAt } from '../../base/config/faults.ts';
import type { Config } from '../../base/config/schema.ts';

export type EmbeddingsSettings = {
  url: string;
  model: string;
  apiKey: string | null;
  /** Null for the model's default. */
  dimensions: number | null;
  batchSize: number;
  timeoutMs: number;
  queryTimeoutMs: number;
};

/**
 * The settings of the embeddings endpoint; undefined where none is configured.
 * @throws {ConfigError} when there is a URL but no model
 */
export function embeddingsOf({ embeddings }: Config): EmbeddingsSettings | undefined {
  const { url, model } = embeddings;
  if (url === null) return undefined;
  if (model === null) {
    const message = 'embeddings.url needs embeddings.model: the name of the model to request from the endpoint.';
    throw new ConfigError([faultAt({ kind: 'default' }, 'embeddings.model', message)]);
  }
  return {
    url,
    model,
    apiKey: embeddings.api_key,
    dimensions: embeddings.dimensions,
    batchSize: embeddings.batch_size,
    timeoutMs: embeddings.timeout_ms,
    queryTimeoutMs: embeddings.query_timeout_ms,
  };
}
