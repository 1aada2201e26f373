import type { Document, Operation, Parameter } from '../openapi-types.ts';
import { resolve } from '../openapi-types.ts';
import type { RecordedExample } from './recorded.ts';

/** The request that an example shows: values of the path and the query, in the order of the document, and the body with its type. */
export type ExampleRequest = {
  params: ReadonlyArray<readonly [string, unknown]>;
  query: ReadonlyArray<readonly [string, unknown]>;
  body?: { type: string; value: unknown };
};

/** The recorded request of an operation; without one, what the document has as examples of its required parts. */
export function exampleRequestOf(document: Document, operation: Operation, recorded?: RecordedExample): ExampleRequest {
  const parameters = operation.parameters.map((parameter) => resolve<Parameter>(document, parameter));
  const valuesIn = (place: Parameter['in'], given: RecordedExample['params']): ExampleRequest['params'] =>
    parameters
      .filter((one) => one.in === place && (recorded ? given?.[one.name] !== undefined : isNeeded(one)))
      .map((one) => [one.name, recorded ? typed(one, given![one.name]!) : one.example] as const);
  const params = valuesIn('path', recorded?.params);
  const query = valuesIn('query', recorded?.query);
  const body = bodyOf(operation, recorded);
  return { params, query, ...(body ? { body } : {}) };
}

/** An organization's id is needed, too, but may have another name. */
const isNeeded = ({ required, name }: Parameter): boolean => required || name === 'org_id';

/** A recorded value stands in the address, where everything is text. */
function typed({ schema }: Parameter, value: string): unknown {
  const type = [schema.type].flat()[0];
  if (type === 'array') return [value];
  return type === 'integer' || type === 'number' || type === 'boolean' ? (JSON.parse(value) as unknown) : value;
}

function bodyOf({ requestBody }: Operation, recorded?: RecordedExample): ExampleRequest['body'] | undefined {
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  if (type === undefined || media === undefined) return undefined;
  const value = recorded ? recorded.body : media.example;
  return value === undefined ? undefined : { type, value };
}
