import type { Schema } from '../openapi/schema.ts';

// The parts of an OpenAPI document that the documentation page uses.

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: Schema;
  example?: unknown;
};

export type Media = Readonly<
  Record<string, { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }>
>;
export type Response = { description: string; content?: Media };

type Reference = { $ref: string };

export type Operation = {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  security: ReadonlyArray<Readonly<Record<string, readonly string[]>>>;
  parameters: ReadonlyArray<Parameter | Reference>;
  requestBody?: { required: boolean; description?: string; content: Media };
  responses: Readonly<Record<string, Response | Reference>>;
};

export type Document = {
  info: { title: string; summary: string; description: string; version: string; 'x-parley-version': string };
  tags: ReadonlyArray<{ name: string; description: string }>;
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
};

/** Follows a `$ref` within the document; any other value is returned as it is. */
export function resolve<T extends object>(document: Document, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  let target: unknown = document;
  for (const part of value.$ref.split('/').slice(1)) target = (target as Record<string, unknown>)[part];
  return target as T;
}
