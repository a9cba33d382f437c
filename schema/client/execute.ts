import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { Context, RequestFacts } from '../kernel/context.ts';
import {
  DomainError,
  type ErrorCode,
  type ErrorReason,
  type FieldErrors,
} from '../kernel/errors.ts';
import { type Outage, outageOf } from '../kernel/outage.ts';
import { isReceivedFile } from '../kernel/received-file.ts';
import { refusalByStorage } from '../kernel/storage-errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { compile } from './compile.ts';
import { adaptResolvers } from './resolve-info.ts';
import { traceOperation } from './trace-operation.ts';

/** An operation rejected by the core. */
export type RejectedOperation = DomainError;
export type { ErrorCode, ErrorReason, FieldErrors, RequestFacts, Viewer };

/**
 * The entry point of REST, SOAP and pages to the core: runs a document as `viewer` and returns its
 * data, or throws its first error.
 */
export type Execute = <Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  viewer: Viewer | null,
  request?: RequestFacts,
) => Promise<Data>;

/** Called for each failure of a dependency, with its cause. */
export type ReportOutage = (outage: Outage, cause: unknown, requestId?: string) => void;

type ContextFor = (viewer: Viewer | null, request: RequestFacts | undefined) => Context;

/** Removes undefined values at any depth: compiled documents would read them as null. */
function withoutUndefined(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (value instanceof Date || value instanceof Uint8Array || isReceivedFile(value)) return value;
  const defined: Record<string, unknown> = {};
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key];
    if (inner !== undefined) defined[key] = withoutUndefined(inner);
  }
  return defined;
}

/** The error that a resolver threw, without its wrappers. */
function unwrapError(error: GraphQLError): unknown {
  let cause: unknown = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  const refused = refusalByStorage(cause);
  if (refused) return refused;
  const isOwn = cause instanceof DomainError || !(cause instanceof GraphQLError);
  // the wrapping errors of the library name the variable or field
  return isOwn ? cause : error;
}

/**
 * Creates `execute` for `schema`; `contextFor` builds the context of each operation. A document is
 * compiled at its first use.
 */
export function createExecute(
  schema: GraphQLSchema,
  contextFor: ContextFor,
  reportOutage: ReportOutage = () => {},
): Execute {
  adaptResolvers(schema);

  return async <Data, Variables>(
    document: TypedDocumentNode<Data, Variables>,
    variables: Variables,
    viewer: Viewer | null,
    request?: RequestFacts,
  ): Promise<Data> => {
    const context = contextFor(viewer, request);
    const given = withoutUndefined(variables ?? {}) as Record<string, unknown>;
    const { data, errors } = await traceOperation(document, () =>
      compile(schema, document)(given, context),
    );
    const first = errors?.[0];
    if (first) {
      const cause = unwrapError(first);
      throw unavailableOf(cause, reportOutage, request?.id) ?? cause;
    }
    return data as Data;
  };
}

/**
 * The UNAVAILABLE error for an outage, which is reported, or for a rejection with that code. Null
 * for any other error.
 */
export function unavailableOf(
  error: unknown,
  reportOutage: ReportOutage,
  requestId?: string,
): DomainError | null {
  const outage = outageOf(error);
  if (outage) reportOutage(outage, error, requestId);
  const domainError = outage?.error ?? refusal(error);
  return domainError?.code === 'UNAVAILABLE' ? domainError : null;
}

/** The domain error of a rejected operation, or null for an unexpected failure. */
export const refusal = (error: unknown): DomainError | null =>
  error instanceof DomainError ? error : null;
