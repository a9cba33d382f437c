import { GraphQLError, Kind } from 'graphql';
import { type ReportOutage, unavailableOf } from '../../schema/client/execute.ts';
import { DomainError, graphqlErrors, type RequestErrorCode } from '../../schema/kernel/errors.ts';
import { refusalByStorage } from '../../schema/kernel/storage-errors.ts';

interface ErrorReports {
  readonly reportOutage: ReportOutage;
  /** Logs a defect of the service. */
  readonly reportFailure: (cause: unknown) => void;
  /** Hides the message of an error, and keeps its path. */
  readonly hide: (error: unknown) => Error;
}

/**
 * The error that a client receives for one of an execution: each has a code of `graphqlErrors`, and
 * the path of its field. Unexpected errors are reported and not explained.
 */
export function publicError(error: unknown, reports: ErrorReports): Error {
  const cause = causeOf(error);
  const domainError = domainErrorOf(cause, reports.reportOutage);
  if (domainError) {
    // scalars reject variables before any field is resolved
    const isVariable = error instanceof GraphQLError && !error.path && error !== cause;
    if (isVariable && domainError.code === 'INVALID') return badInput(error);
    return domainError === cause && error instanceof GraphQLError
      ? error
      : locate(domainError, error);
  }
  if (error instanceof GraphQLError) {
    if (hasCode(error)) return error;
    if (isAboutInput(error, cause)) return badInput(error);
  }
  // the execution was stopped because the client disconnected
  if (!isAbort(cause)) reports.reportFailure(cause);
  return reports.hide(error);
}

/** The message, with the reasons of a scalar that rejected a value. */
export function explained(error: GraphQLError): string {
  const cause = causeOf(error);
  if (!(cause instanceof DomainError) || !cause.fields) return error.message;
  const reasons = Object.values(cause.fields).flat().join(', ');
  return error.message === cause.message
    ? `The value ${reasons}`
    : error.message.replace(cause.message, () => reasons);
}

/** The error that was thrown first. */
function causeOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

function domainErrorOf(cause: unknown, reportOutage: ReportOutage): DomainError | null {
  if (cause instanceof DomainError) return cause;
  return refusalByStorage(cause) ?? unavailableOf(cause, reportOutage);
}

/** The domain error, with the path of the error that it replaces. */
const locate = (domainError: DomainError, error: unknown): GraphQLError =>
  new GraphQLError(domainError.message, {
    nodes: error instanceof GraphQLError ? error.nodes : undefined,
    path: error instanceof GraphQLError ? error.path : undefined,
    originalError: domainError,
  });

const hasCode = ({ extensions: { code } }: GraphQLError) =>
  typeof code === 'string' && Object.hasOwn(graphqlErrors, code);

/**
 * Whether the executor rejected a variable, which has no path, or an argument, whose error names
 * its node. Errors about results name a field or no node.
 */
function isAboutInput(error: GraphQLError, cause: unknown): boolean {
  if (!(cause instanceof GraphQLError)) return false;
  const [node] = cause.nodes ?? [];
  return error.path === undefined || (node !== undefined && node.kind !== Kind.FIELD);
}

const badInput = (error: GraphQLError): GraphQLError =>
  new GraphQLError(explained(error), {
    nodes: error.nodes,
    path: error.path,
    extensions: {
      code: 'BAD_USER_INPUT' satisfies RequestErrorCode,
      // the status that the executor chose for the negotiated media type
      ...(error.extensions.http !== undefined && { http: error.extensions.http }),
    },
  });

const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
