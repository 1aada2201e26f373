import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Operation = { responses: Record<string, { content?: object }> };
export type OpenApiDocument = {
  openapi: string;
  info: Record<string, unknown>;
  paths: Record<string, Record<string, Operation & Record<string, unknown>>>;
} & Record<string, unknown>;

/** Says what is wrong with an answer, going by the document alone; undefined when it is as promised. */
export type AnswerCheck = (method: string, path: string, status: number, body: unknown) => string | undefined;

const pointer = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
const withoutSlash = (path: string): string => path.replace(/(.)\/$/, '$1');

/** A check of answers against an OpenAPI document, independent of the code that wrote the document. */
export function answerCheck(document: OpenApiDocument): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false });
  addFormats.default(ajv, ['uuid', 'date-time', 'email']);
  ajv.addSchema(document, 'doc');
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  const validatorAt = (place: string): ReturnType<typeof ajv.compile> => {
    const validate = compiled.get(place) ?? ajv.compile({ $ref: place });
    compiled.set(place, validate);
    return validate;
  };
  // Static paths first, as a router takes them.
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
    const plain = withoutSlash(path.split('?', 1)[0]!);
    const found = templates.find((entry) => entry.method === method && entry.pattern.test(plain));
    const operation = found && document.paths[found.template]![method.toLowerCase()]!;
    const response = operation?.responses[String(status)];
    if (operation ? response === undefined : status < 400) return `${method} ${path} has no description of ${status}`;
    const place = response?.content
      ? [
          'paths',
          found!.template,
          method.toLowerCase(),
          'responses',
          String(status),
          'content',
          Object.keys(response.content)[0]!,
          'schema',
        ]
      : ['components', 'schemas', 'Error'];
    const validate = validatorAt(`doc#/${place.map(pointer).join('/')}`);
    return validate(body) ? undefined : `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`;
  };
}
