import { type JsonSchema, readsBody, readsFile } from '../kernel/marks.ts';
import {
  descriptionOf,
  fieldsOf,
  isRequired,
  parameterSchema,
} from '../kernel/parameter-schema.ts';
import type { Route } from '../kernel/route.ts';
import { alternativesOf } from '../kernel/rules.ts';
import { component } from './components.ts';
import type { DocumentTexts } from './descriptions.ts';
import { withUsualExample } from './usual-examples.ts';
import { isFormerName, usualText } from './usual-texts.ts';
import { addUsuals } from './usuals.ts';

interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  readonly description: string | null;
  readonly schema: JsonSchema;
  readonly isFile: boolean;
  readonly isBody: boolean;
}

const withUsuals = (name: string, schema: JsonSchema): JsonSchema => {
  addUsuals(schema);
  return withUsualExample(name, schema);
};

function parametersOf(
  { operation: { params } }: Route,
  texts: DocumentTexts,
): readonly Parameter[] {
  return Object.entries(fieldsOf(params)).map(([name, field]) => ({
    name,
    isRequired: isRequired(field),
    description: descriptionOf(field) ?? texts.parameter(name) ?? usualText(name),
    schema: withUsuals(name, parameterSchema(field)),
    isFile: readsFile(field),
    isBody: readsBody(field),
  }));
}

const schemaWithText = ({ name, description, schema }: Parameter) => ({
  ...schema,
  ...(description !== null && { description }),
  ...(isFormerName(name) && { deprecated: true }),
});

/** More names than these are too many to read as alternatives. */
const maxAlternatives = 5;

/** The rule that one of some parameters is required. */
const alternativeSchema = (names: readonly string[]): JsonSchema =>
  names.length > maxAlternatives
    ? { minProperties: 1 }
    : { anyOf: names.map((name) => ({ required: [name] })) };

/** The rules of a body: of each list of parameters one is required. */
function rulesOf({ operation: { params } }: Route, names: ReadonlySet<string>): JsonSchema {
  const rules = alternativesOf(params)
    .filter((alternatives) => alternatives.every((name) => names.has(name)))
    .map(alternativeSchema);
  return rules.length > 1 ? { allOf: rules } : (rules[0] ?? {});
}

/** A parameter of the path, the query or a header, as OpenAPI writes it. */
const parameterObject = (
  parameter: Parameter,
  place: 'path' | 'query' | 'header',
  name: string,
) => ({
  name,
  in: place,
  ...((parameter.isRequired || place === 'path') && { required: true }),
  ...(parameter.description !== null && { description: parameter.description }),
  ...(isFormerName(name) && { deprecated: true }),
  // a, b and a[]=… are accepted alike
  ...(parameter.schema.type === 'array' && place === 'query' && { style: 'form', explode: false }),
  ...(parameter.schema.type === 'object' && place === 'query' && { style: 'deepObject' }),
  schema: parameter.schema,
});

/** The encodings of a body: files need a form. */
function bodyOf(route: Route, parameters: readonly Parameter[]): JsonSchema | null {
  if (parameters.length === 0) return null;
  const whole = parameters.find(({ isBody }) => isBody);
  if (whole) return { content: { 'application/octet-stream': { schema: schemaWithText(whole) } } };
  const required = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map((parameter) => [parameter.name, schemaWithText(parameter)]),
    ),
    ...(required.length > 0 && { required }),
    ...rulesOf(route, new Set(parameters.map(({ name }) => name))),
  };
  const files = parameters.filter(({ isFile }) => isFile);
  const needsForm = files.some(({ isRequired }) => isRequired);
  const forms = { 'multipart/form-data': { schema } };
  return {
    ...(required.length > 0 && { required: true }),
    content: needsForm
      ? forms
      : {
          'application/json': { schema },
          'application/x-www-form-urlencoded': { schema },
          ...(files.length > 0 && forms),
        },
  };
}

/** The parameters of every listing. */
export const pageParameters = ['page', 'per_page', 'pagination', 'cursor'] as const;

/** The parameters of a route, and its body if it has parameter. */
export function inputOf(route: Route, texts: DocumentTexts) {
  const { method, path, operation, headers = {} } = route;
  const all = parametersOf(route, texts);
  const inPath = new Set([...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name));
  const others = all.filter(({ name }) => !inPath.has(name) && !(name in headers));
  const isRead = method === 'get' || method === 'head' || method === 'delete';
  const parameters = [
    ...all
      .filter(({ name }) => inPath.has(name))
      .map((parameter) => ({
        ...parameterObject(parameter, 'path', parameter.name),
        // `*path` may have slashes, which OpenAPI has no word for
        ...(path.includes(`*${parameter.name}`) && { 'x-multi-segment': true }),
      })),
    ...all
      .filter(({ name }) => name in headers)
      .map((parameter) => parameterObject(parameter, 'header', headers[parameter.name] ?? '')),
    ...(isRead
      ? others.map((parameter) => parameterObject(parameter, 'query', parameter.name))
      : []),
    ...(operation.total ? pageParameters.map((name) => component('parameters', name)) : []),
  ];
  const requestBody = isRead ? null : bodyOf(route, others);
  return { parameters, requestBody };
}
