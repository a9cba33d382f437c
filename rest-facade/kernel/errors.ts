import type { Outcome } from '../../schema/client/endpoint.ts';
import {
  type ErrorCode,
  type ErrorReason,
  type FieldErrors,
  refusal,
} from '../../schema/client/execute.ts';
import type { FaultNames, Operation } from '../../schema/client/operation.ts';
import { snakeCase } from './case.ts';

const statuses: Record<ErrorCode, number> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  INVALID: 400,
  UNAVAILABLE: 503,
};

/** Codes whose messages begin with the status. */
const prefixed: ReadonlySet<ErrorCode> = new Set([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'UNAVAILABLE',
]);

/** Reasons with the same status at every endpoint. */
const reasonStatuses: Readonly<Partial<Record<ErrorReason, number>>> = {
  throttled: 429,
  precondition: 412,
  'hook-url': 422,
  branches: 422,
  'too-large': 413,
  disabled: 405,
  'storage-full': 507,
};

/** Refusals whose body has its own form in v4. */
const forms: Readonly<Partial<Record<ErrorReason, (message: string) => unknown>>> = {
  'project-limit': (message) => ({ error: [message] }),
  branches: (message) => ({ error: [message] }),
  'already-open': (message) => ({ message: [message] }),
  'hook-url': (message) => ({ error: message }),
  range: (message) => ({ error: message }),
  // these messages begin with the status
  'too-large': (message) => ({ message: `413 ${message}` }),
  disabled: (message) => ({ message: `405 ${message}` }),
  // a whole sentence, without the status
  sentence: (message) => ({ message }),
};

/** Status and body for a refusal; null for an unexpected error, which must not be explained. */
export function explain(
  error: unknown,
  operation: Pick<Operation, 'refusals' | 'faultNames' | 'invalidAs'> = {},
): Outcome | null {
  const { refusals = {}, faultNames = {}, invalidAs } = operation;
  const domainError = refusal(error);
  if (!domainError) return null;
  const { code, reason, fields, message, retryAfter } = domainError;
  const status =
    (reason && (refusals[reason] ?? reasonStatuses[reason])) ?? refusals[code] ?? statuses[code];
  if (reason === 'delegated-access') return refused.delegated;
  const form = reason && forms[reason];
  if (form) return { status, body: form(message) };
  const text = prefixed.has(code) ? `${status} ${message}` : message;
  const named = fields && namedAsInRest(fields, faultNames);
  const shown = named && invalidAs ? invalidAs(named) : named;
  return {
    status,
    body: { message: shown ?? text },
    ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
  };
}

/** Fields of the core whose errors have another name than the field in snake case. */
const usualNames: FaultNames = {
  after: 'cursor',
  body: 'note',
  namespaceId: 'namespace',
  runUntagged: 'tags_list',
  visibility: 'visibility_level',
};

/** The errors of the core's fields by the names of v4, in the same order. */
const namedAsInRest = (fields: FieldErrors, names: FaultNames): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields).map(([name, messages]) => [
      names[name] ?? usualNames[name] ?? snakeCase(name),
      messages,
    ]),
  );

/** A refusal by RFC 6750, 3: header and body give the same error. */
function bearer(status: number, body: Readonly<Record<string, string>>): Outcome {
  const attributes = Object.entries({ realm: 'Millrace', ...body });
  const header = attributes.map(([name, text]) => `${name}="${text}"`).join(', ');
  return { status, body, headers: { 'WWW-Authenticate': `Bearer ${header}` } };
}

const insufficient = {
  error: 'insufficient_scope',
  error_description: 'The request requires higher privileges than provided by the access token.',
};

/** Refusals before an operation runs. */
export const refused = {
  anonymous: { status: 401, body: { message: '401 Unauthorized' } },
  ordinary: { status: 403, body: { message: '403 Forbidden' } },
  path: { status: 404, body: { error: '404 Not Found' } },
  encoding: { status: 400, body: { error: '400 Bad Request' } },
  method: (allowed: string) => ({
    status: 405,
    body: { error: '405 Not Allowed' },
    headers: { Allow: allowed },
  }),
  throttled: (retryAfter: number) => ({
    status: 429,
    body: { message: '429 Too Many Requests' },
    headers: { 'Retry-After': String(retryAfter) },
  }),
  parameters: (problem: string) => ({ status: 400, body: { error: problem } }),
  expired: bearer(401, {
    error: 'invalid_token',
    error_description: 'Token is expired. You can either do re-authorization or token refresh.',
  }),
  revoked: bearer(401, {
    error: 'invalid_token',
    error_description: 'Token was revoked. You have to re-authorize from the user.',
  }),
  scope: (needed: string) => bearer(403, { ...insufficient, scope: needed }),
  // no scope would suffice
  delegated: bearer(403, insufficient),
} as const satisfies Record<
  string,
  Outcome | ((text: string) => Outcome) | ((seconds: number) => Outcome)
>;
