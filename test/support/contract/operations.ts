import { readFileSync } from 'node:fs';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly 'x-multi-segment'?: boolean;
}

interface Content {
  readonly schema?: object;
}

/** A response of the OpenAPI document, its references resolved. */
export interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Content>>;
}

/** An operation of the OpenAPI document, and the JSON Pointer to it. */
export interface Documented {
  readonly pointer: string;
  readonly responses: Readonly<Record<string, { readonly $ref?: string } & DocumentedResponse>>;
}

interface Operation extends Omit<Documented, 'pointer'> {
  readonly parameters?: readonly Parameter[];
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly 'x-common-headers': readonly string[];
}

const escaped = (segment: string) => segment.replaceAll('~', '~0').replaceAll('/', '~1');

const patternOf = (template: string, parameters: readonly Parameter[]): RegExp => {
  const isLong = (name: string) =>
    parameters.some((parameter) => parameter.name === name && parameter['x-multi-segment']);
  const source = template
    .replace(/[.+*?^$()[\]\\|]/g, '\\$&')
    .replace(/\{(\w+)\}/g, (_, name: string) => (isLong(name) ? '.+' : '[^/]+'));
  return new RegExp(`^${source}/?$`);
};

/** Fixed segments before parameters, as the router has them. */
const specificity = (template: string) =>
  template
    .split('/')
    .map((segment) => (segment.includes('{') ? '1' : '0'))
    .join('');

/** Finds the operations of an OpenAPI document by method and path. */
export function operationsIn(file: string) {
  const document: OpenApi = JSON.parse(readFileSync(file, 'utf8'));
  const byMethod = new Map<string, { pattern: RegExp; documented: Documented }[]>();
  const templates = Object.keys(document.paths).sort((a, b) =>
    specificity(a).localeCompare(specificity(b)),
  );
  for (const template of templates) {
    for (const [method, operation] of Object.entries(document.paths[template] ?? {})) {
      const documented = {
        pointer: `#/paths/${escaped(template)}/${method}`,
        responses: operation.responses,
      };
      const list = byMethod.get(method) ?? [];
      list.push({ pattern: patternOf(template, operation.parameters ?? []), documented });
      byMethod.set(method, list);
    }
  }
  const find = (method: string, path: string): Documented | undefined =>
    byMethod.get(method)?.find(({ pattern }) => pattern.test(path))?.documented;
  return { document, find };
}
