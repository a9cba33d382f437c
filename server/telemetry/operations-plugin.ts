import { type ExecutionArgs, getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { inSpan } from '../../schema/kernel/tracing.ts';

/** Clients choose the names of their operations. */
const maxNameCharacters = 100;

/** Records a span for each operation of `/graphql`. Its document may contain secrets, so it is left out. */
export const tracedOperations = (): Plugin => ({
  onExecute: ({ executeFn, setExecuteFn }) => {
    setExecuteFn((args: ExecutionArgs) => {
      const operation = getOperationAST(args.document, args.operationName);
      const type = operation?.operation ?? 'query';
      const name = (operation?.name?.value ?? '').slice(0, maxNameCharacters);
      const attributes = { 'graphql.operation.type': type, 'graphql.operation.name': name };
      return inSpan({ name: type, kind: 'internal', attributes }, async () => executeFn(args));
    });
  },
});
