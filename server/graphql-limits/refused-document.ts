import type { ExecutionResult, GraphQLError } from 'graphql';
import { tooCostly } from '../../schema/kernel/errors.ts';

const refusals = new WeakSet<GraphQLError>();

/** An error for a document that has no data as its answer. */
export function refusedDocument(message: string): GraphQLError {
  const refusal = tooCostly(message);
  refusals.add(refusal);
  return refusal;
}

/**
 * Gives an answer that consists of a refusal HTTP 400 with any media type. The library takes errors
 * for a part of the answer, with HTTP 200, unless the client accepts `application/graphql-response+json`.
 */
export function setRefusalStatus(result: ExecutionResult): void {
  const [refusal] = result.errors ?? [];
  if (!refusal || !refusals.has(refusal)) return;
  Object.assign(result, { extensions: { ...result.extensions, http: { status: 400 } } });
}
