import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Operation = { responses: Record<string, { content?: Record<string, { schema: object }> }> };
export type OpenApiDocument = {
  openapi: string;
  info: Record<string, unknown>;
  paths: Record<string, Record<string, Operation & Record<string, unknown>>>;
} & Record<string, unknown>;

/** Compares an answer with the OpenAPI document alone; returns what is wrong, or undefined if it conforms. */
export type AnswerCheck = (method: string, path: string, status: number, body: unknown) => string | undefined;

const error = { $ref: '#/components/schemas/Error' };

/** A copy of a schema whose references point into the schema with this id. */
const withReferencesTo = (id: string, schema: object): object =>
  JSON.parse(JSON.stringify(schema), (key, value) => (key === '$ref' ? `${id}${value}` : value));

const withoutSlash = (path: string): string => path.replace(/(.)\/$/, '$1');

/** Creates a check of answers against an OpenAPI document, independent of the code that generates it. */
export function answerCheck(document: OpenApiDocument): AnswerCheck {
  // openapi-lint.test.ts checks the schemas themselves; here that would take another 0.05 s in each test process.
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, validateSchema: false });
  addFormats.default(ajv, ['uuid', 'date-time', 'email']);
  // Adds only the schemas that operations share: adding the whole document would take 0.1 s in each test process.
  ajv.addSchema({ $id: 'shared', components: document['components'] });
  const compiled = new Map<object, ReturnType<typeof ajv.compile>>();
  const validatorOf = (schema: object): ReturnType<typeof ajv.compile> => {
    const validate = compiled.get(schema) ?? ajv.compile(withReferencesTo('shared', schema));
    compiled.set(schema, validate);
    return validate;
  };
  // Literal paths before those with placeholders, as the router matches them.
  const templates = Object.keys(document.paths)
    .toSorted((a, b) => a.split('{').length - b.split('{').length)
    .flatMap((template) =>
      Object.keys(document.paths[template]!).map((method) => ({
        template,
        method: method.toUpperCase(),
        pattern: new RegExp(
          `^${withoutSlash(template)
            .replaceAll('+', '\\+')
            .replaceAll(/\{\w+\}/g, '[^/]+')}$`,
        ),
      })),
    );
  return (method, path, status, body) => {
    const withoutQuery = withoutSlash(path.split('?', 1)[0]!);
    const match = templates.find((entry) => entry.method === method && entry.pattern.test(withoutQuery));
    const operation = match && document.paths[match.template]![method.toLowerCase()]!;
    const response = operation?.responses[String(status)];
    if (operation ? response === undefined : status < 400) return `${method} ${path} has no description of ${status}`;
    const contents = response?.content ?? {};
    const asText = contents['text/csv'] ?? contents['text/event-stream'];
    const content = (typeof body === 'string' ? asText : undefined) ?? Object.values(contents)[0];
    const validate = validatorOf(content?.schema ?? error);
    return validate(body) ? undefined : `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`;
  };
}
