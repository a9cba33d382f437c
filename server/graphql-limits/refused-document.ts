import type { ExecutionResult, GraphQLError } from 'graphql';
import { requestError } from '../../schema/kernel/errors.ts';

const refusals = new WeakSet<GraphQLError>();

/** An error for a document that has no data as its answer; `details` join its extensions. */
export function refusedDocument(message: string, details: object = {}): GraphQLError {
  const refusal = requestError('LIMIT_EXCEEDED', message, { ...details });
  refusals.add(refusal);
  return refusal;
}

/**
 * Sends a refusal with HTTP 400 for any media type. Yoga treats the errors
 * as part of a 200 response unless the client accepts `application/graphql-response+json`.
 */
export function setRefusalStatus(result: ExecutionResult): void {
  const [refusal] = result.errors ?? [];
  if (!refusal || !refusals.has(refusal)) return;
  Object.assign(result, { extensions: { ...result.extensions, http: { status: 400 } } });
}
