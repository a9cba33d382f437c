import type { ValidateFunction } from 'ajv/dist/2020.js';
import { type Documented, type DocumentedResponse, operationsIn } from './operations.ts';
import { errorText, schemasOf } from './schemas.ts';

/** Headers of HTTP itself. */
const ofHttp = new Set([
  'accept-ranges',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** The body if it is JSON. */
  readonly text: string | null;
}

/** What of a response is not in an OpenAPI document; null if everything is. */
export type Contract = (exchange: Exchange) => string | null;

const typeOf = (headers: Headers) => headers.get('Content-Type')?.split(';', 1)[0] ?? null;

const contracts = new Map<string, Contract>();

/**
 * The contract of the document in `file`, shared by the test files of a worker: its schemas are
 * compiled at their first use, which takes longer than all comparisons.
 */
export function contractIn(file: string): Contract {
  const contract = contracts.get(file) ?? readContract(file);
  contracts.set(file, contract);
  return contract;
}

function readContract(file: string): Contract {
  const { document, find } = operationsIn(file);
  const ajv = schemasOf(document);
  const validators = new Map<string, ValidateFunction>();
  const common = new Set(document['x-common-headers'].map((name) => name.toLowerCase()));

  const validatorOf = (pointer: string): ValidateFunction => {
    const fragment = pointer.slice(2).split('/').map(encodeURIComponent).join('/');
    const existing = validators.get(fragment);
    if (existing) return existing;
    const validate = ajv.compile({ $ref: `openapi#/${fragment}` });
    validators.set(fragment, validate);
    return validate;
  };

  const resolved = (documented: Documented, status: number) => {
    const pointer = `${documented.pointer}/responses/${status}`;
    const response = documented.responses[status];
    if (!response?.$ref) return { pointer, response };
    const parts = response.$ref.slice(2).split('/');
    const target = parts.reduce<unknown>(
      (value, key) => (value as Record<string, unknown>)[key],
      document,
    );
    return { pointer: response.$ref, response: target as DocumentedResponse };
  };

  const bodyViolation = (
    { text, headers, method }: Exchange,
    pointer: string,
    { content = {} }: DocumentedResponse,
  ): string | null => {
    const type = typeOf(headers);
    if (type === null || method === 'HEAD') return null;
    if (!(type in content) && !('*/*' in content)) return `undocumented type ${type}`;
    if (type !== 'application/json' || text === null || !content[type]?.schema) return null;
    const escaped = type.replaceAll('/', '~1');
    const validate = validatorOf(`${pointer}/content/${escaped}/schema`);
    if (validate(JSON.parse(text))) return null;
    const errors = (validate.errors ?? []).slice(0, 5);
    return errors.map(errorText).join('; ');
  };

  return (exchange) => {
    const { method, path, status, headers } = exchange;
    const documented =
      find(method.toLowerCase(), path) ?? (method === 'HEAD' ? find('get', path) : undefined);
    if (!documented) return null;
    // an internal error is promised nowhere: only tests that cause one on purpose accept it
    if (status === 500) return null;
    const { pointer, response } = resolved(documented, status);
    const name = documented.pointer.slice('#/paths/'.length).replaceAll('~1', '/');
    if (!response) return `${name}: undocumented status ${status}`;
    const known = new Set(Object.keys(response.headers ?? {}).map((key) => key.toLowerCase()));
    const unknown = [...headers.keys()].filter(
      (key) => !known.has(key) && !common.has(key) && !ofHttp.has(key),
    );
    if (unknown.length > 0) return `${name}: ${status} with undocumented header ${unknown}`;
    const problem = bodyViolation(exchange, pointer, response);
    return problem && `${name}: ${status}: ${problem}`;
  };
}
