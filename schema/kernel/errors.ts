import { GraphQLError } from 'graphql';
import type { OauthErrorCode } from './oauth-errors.ts';

/** Why the core rejects an operation. Facades translate these codes and no others. */
const coreErrors = {
  UNAUTHENTICATED: 'The operation needs a signed-in user, or the token is invalid.',
  FORBIDDEN:
    'The current user may not do this, or tried too often (`reason: "throttled"`, with `retryAfter` in seconds).',
  NOT_FOUND: 'The record does not exist, or the current user may not see it.',
  INVALID: 'A rule of the service rejects the input; `fields` has messages by input field.',
  CONFLICT: 'The state of the record does not permit the operation.',
  UNAVAILABLE:
    'Overload, or a dependency that is down. The client may retry after `retryAfter` seconds.',
} as const;

/** Why the endpoint of GraphQL rejects a request before the core decides, or failed. */
const requestErrors = {
  BAD_REQUEST: 'The HTTP request is not a GraphQL request: its method, media type, form or body.',
  GRAPHQL_PARSE_FAILED: 'The document has a syntax error.',
  GRAPHQL_VALIDATION_FAILED: 'The document does not fit the schema.',
  OPERATION_RESOLUTION_FAILURE: '`operationName` is missing or names no operation of the document.',
  BAD_USER_INPUT:
    'A variable or argument has a value that its type or field never accepts; `fields` names an argument out of bounds.',
  LIMIT_EXCEEDED:
    'The request, its document, its response or its execution exceeds a limit, which the message names; with `cost` and `limit` if it is the cost of the document.',
  INTERNAL_SERVER_ERROR: 'A defect of the service, which is logged and not explained.',
} as const;

export type ErrorCode = keyof typeof coreErrors;
export type RequestErrorCode = keyof typeof requestErrors;

/** Every `extensions.code` of `/graphql` with its meaning, as docs/graphql.md lists them. */
export const graphqlErrors: Readonly<Record<string, string>> = { ...coreErrors, ...requestErrors };

/** Distinguishes errors with the same code that a facade answers differently. */
export type ErrorReason =
  | 'two-factor-required'
  | 'project-limit'
  | 'record'
  | 'taken'
  | 'throttled'
  | 'precondition'
  | 'branches'
  | 'already-open'
  | 'not-mergeable'
  | 'conflicting'
  | 'sentence'
  | 'hook-url'
  | 'range'
  | 'too-large'
  | 'disabled'
  | 'delegated-access'
  | 'too-costly'
  | 'outage'
  | 'storage-full'
  | OauthErrorCode;

/** Messages per input field, e.g. `{ key: ['is too long'] }`. */
export type FieldErrors = Record<string, readonly string[]>;

interface Details {
  readonly fields?: FieldErrors;
  readonly reason?: ErrorReason;
  /** Seconds until the caller may retry. */
  readonly retryAfter?: number;
}

/**
 * The HTTP status of GraphQL responses, in place of 200; yoga reads it and removes it from the
 * body.
 */
const httpOf = (code: ErrorCode, { reason, retryAfter }: Details) =>
  code === 'UNAVAILABLE' && {
    http: {
      status: reason === 'storage-full' ? 507 : 503,
      headers: { 'Retry-After': String(retryAfter) },
    },
  };

/** A rejected operation; the code, message and details say why. */
export class DomainError extends GraphQLError {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly reason: ErrorReason | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, { extensions: { code, ...details, ...httpOf(code, details) } });
    this.name = 'DomainError';
    this.code = code;
    this.fields = details.fields;
    this.reason = details.reason;
    this.retryAfter = details.retryAfter;
  }
}

export const unauthenticated = (why?: string, reason?: ErrorReason) =>
  new DomainError(
    'UNAUTHENTICATED',
    why ? `Unauthorized. ${why}` : 'Unauthorized',
    reason && { reason },
  );

/** `forbidden('Must be admin')` becomes `403 Forbidden - Must be admin` in REST. */
export const forbidden = (why?: string, reason?: ErrorReason) =>
  new DomainError('FORBIDDEN', why ? `Forbidden - ${why}` : 'Forbidden', reason && { reason });

/**
 * The operation needs the user in person; an OAuth access token is not enough, whatever its scopes.
 */
export const delegatedAccess = () =>
  new DomainError(
    'FORBIDDEN',
    'The request requires higher privileges than provided by the access token.',
    { reason: 'delegated-access' },
  );

/** A resource with a type name: `404 Project Not Found`. */
export const notFound = (what: string) => new DomainError('NOT_FOUND', `${what} Not Found`);

/** A record without a type name, such as a member: `404 Not found` (v4-behaviour 1.3). */
export const recordNotFound = () => new DomainError('NOT_FOUND', 'Not found', { reason: 'record' });

/** A path without a resource: `404 Not Found`. */
export const pathNotFound = () => new DomainError('NOT_FOUND', 'Not Found');

export const invalid = (fields: FieldErrors) =>
  new DomainError('INVALID', 'Invalid input', { fields });

/** An error of a request, rather than of an operation of the core. */
export const requestError = (
  code: RequestErrorCode,
  message: string,
  extensions: Readonly<Record<string, unknown>> = {},
) => new GraphQLError(message, { extensions: { code, ...extensions } });

/**
 * Arguments that the schema permits and a field never accepts, such as a page of 1,000 rows. Only
 * documents from outside can have them: facades check their parameters themselves.
 */
export const badUserInput = (fields: FieldErrors) =>
  requestError('BAD_USER_INPUT', 'Invalid input', { fields });

/** An error of no single field: `{"message": "Branch already exists"}`, status 400 in REST. */
export const rejected = (message: string) => new DomainError('INVALID', message);

export const conflict = (message: string) => new DomainError('CONFLICT', message);

/** Too many attempts; the caller may retry after `retryAfter` seconds. */
export const throttled = (retryAfter: number) =>
  new DomainError('FORBIDDEN', 'Too Many Requests', { reason: 'throttled', retryAfter });

/**
 * A temporary failure: overload, or a dependency that is down. 503 with `Retry-After` in seconds;
 * 507 for the reason `storage-full` (ADR 29).
 */
export const unavailable = (
  retryAfter: number,
  message = 'Service Unavailable',
  reason?: ErrorReason,
) => new DomainError('UNAVAILABLE', message, { retryAfter, ...(reason && { reason }) });

/** Processing the input exceeds a limit of time or memory; `message` names the limit. */
export const tooCostly = (message: string) =>
  new DomainError('INVALID', message, { reason: 'too-costly' });

/** Throws `invalid` if any field has a message; fields with an empty list are valid. */
export function refuseFaults(faults: FieldErrors): void {
  const invalidFields = Object.entries(faults).filter(([, texts]) => texts.length > 0);
  if (invalidFields.length > 0) throw invalid(Object.fromEntries(invalidFields));
}
