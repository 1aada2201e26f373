import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Operation = { responses: Record<string, { content?: object }> };
export type OpenApiDocument = {
  openapi: string;
  info: Record<string, unknown>;
  paths: Record<string, Record<string, Operation & Record<string, unknown>>>;
} & Record<string, unknown>;

/** Compares an answer with the OpenAPI document alone; returns what is wrong, or undefined if it conforms. */
export type AnswerCheck = (method: string, path: string, status: number, body: unknown) => string | undefined;

const escapePointer = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
const withoutSlash = (path: string): string => path.replace(/(.)\/$/, '$1');

/** Creates a check of answers against an OpenAPI document, independent of the code that generates it. */
export function answerCheck(document: OpenApiDocument): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv, ['uuid', 'date-time', 'email']);
  ajv.addSchema(document, 'doc');
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  const validatorAt = (reference: string): ReturnType<typeof ajv.compile> => {
    const validate = compiled.get(reference) ?? ajv.compile({ $ref: reference });
    compiled.set(reference, validate);
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
    const schemaPath = response?.content
      ? [
          'paths',
          match!.template,
          method.toLowerCase(),
          'responses',
          String(status),
          'content',
          Object.keys(response.content)[0]!,
          'schema',
        ]
      : ['components', 'schemas', 'Error'];
    const validate = validatorAt(`doc#/${schemaPath.map(escapePointer).join('/')}`);
    return validate(body) ? undefined : `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`;
  };
}
