import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  validate,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type Koa from 'koa';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../schema/kernel/context.ts';
import { documentBudget } from '../../schema/kernel/cost.ts';
import type { RequestErrorCode } from '../../schema/kernel/errors.ts';
import { explained } from '../graphql-errors/public-error.ts';
import { boundedAnswer, shortened } from './answer-size.ts';
import { checkCost } from './document-cost.ts';
import { parseDocument } from './parse-document.ts';
import { setRefusalStatus } from './refused-document.ts';

const mostErrors = 20;

/** The request header by which a client asks for the cost of its document. */
const costHeader = 'X-GraphQL-Cost';

/** The context of an execution, with the request in yoga's server context. */
type ServerContext = Context & { readonly koa: Koa.Context };

/**
 * Limits clients' documents: their shape when they are parsed, their cost before they are
 * executed, their response before it is serialized. Aborts the execution with `request.signal`.
 * Shows the cost as `extensions.cost` if the request has the header `X-GraphQL-Cost: 1`.
 */
export const documentLimits = (): Plugin<ServerContext> => ({
  onParse: ({ setParseFn }) => setParseFn(parseDocument),
  onValidate: ({ setValidationFn }) => setValidationFn(validateBriefly),
  onExecute: ({ args, setResultAndStopExecution }) => {
    const { schema, document, contextValue, operationName, variableValues } = args as ExecutionArgs;
    const { koa, request } = contextValue as ServerContext;
    let cost: number | null;
    try {
      cost = checkCost({
        schema,
        document,
        operationName: operationName ?? null,
        variables: variableValues ?? {},
        context: contextValue as ServerContext,
      });
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      setResultAndStopExecution({ errors: [error] });
      return;
    }
    Object.assign(args, { signal: request.signal });
    const isCostShown = koa.get(costHeader) === '1' && cost !== null;
    const shown = isCostShown ? { cost: { requested: cost, limit: documentBudget } } : null;
    return {
      onExecuteDone: ({ result, setResult }) => {
        const bounded = boundedAnswer(result as ExecutionResult);
        setResult(
          shown ? { ...bounded, extensions: { ...bounded.extensions, ...shown } } : bounded,
        );
      },
    };
  },
  onExecutionResult: ({ result }) => {
    if (result) setRefusalStatus(result as ExecutionResult);
  },
});

/**
 * The first errors only: a document can have as many as tokens, each of which is explained. They
 * have the code of validation, also where a scalar rejected a literal for a reason of its own.
 */
const validateBriefly: typeof validate = (schema, document, rules) =>
  validate(schema, document, rules, { maxErrors: mostErrors }).map(
    (error) =>
      new GraphQLError(shortened(explained(error)), {
        nodes: error.nodes ?? [],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' satisfies RequestErrorCode },
      }),
  );

/** A parsed document takes up to 500 bytes of memory for each of its characters. */
const cache = <Parsed extends object>() =>
  new LRUCache<string, Parsed>({
    maxSize: 100_000,
    sizeCalculation: (_parsed, document) => document.length + 1,
  });

/** Parsed and validated documents, limited by size; yoga's own cache limits their number only. */
export const documentCaches = () => ({
  documentCache: cache<DocumentNode>(),
  errorCache: cache<Error>(),
});
