import { type DocumentNode, type ExecutionResult, getOperationAST } from 'graphql';
import { activeTracer, inSpan } from '../kernel/tracing.ts';

type Result = Promise<ExecutionResult> | ExecutionResult;

/** Runs an operation of one of our documents in a span. */
export function traceOperation(document: DocumentNode, run: () => Result): Result {
  if (!activeTracer()) return run();
  const operation = getOperationAST(document);
  const type = operation?.operation ?? 'query';
  const name = operation?.name?.value ?? '';
  return inSpan(
    {
      name: `${type} ${name}`.trim(),
      kind: 'internal',
      attributes: { 'graphql.operation.type': type, 'graphql.operation.name': name },
    },
    async (span) => {
      const result = await run();
      const [error] = result.errors ?? [];
      if (error) span?.end(error.originalError ?? error);
      return result;
    },
  );
}
