import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { isAsyncIterable, type Plugin } from 'graphql-yoga';
import type Koa from 'koa';
import type { Context } from '../../schema/kernel/context.ts';
import { eventBudget } from '../../schema/kernel/cost.ts';
import { requestError } from '../../schema/kernel/errors.ts';
import { checkCost } from '../graphql-limits/document-cost.ts';
import { callerOf } from '../scheduling/caller.ts';
import { currentCaller } from '../scheduling/scope.ts';
import type { OpenStream, OpenStreams } from './open-streams.ts';
import { type Caller, subscribeAs } from './results.ts';

const mediaType = 'text/event-stream';

/** The subscription of a request, which the plugin opens and the endpoint sends. */
export interface Subscription {
  /** Authenticates the caller again; null if the credential is no longer valid. */
  readonly identify: () => Promise<Caller | null>;
  stream: OpenStream | null;
  results: AsyncIterable<ExecutionResult> | null;
}

interface Visit {
  readonly koa: Koa.Context;
  readonly subscription: Subscription;
}

interface Options {
  readonly streams: OpenStreams;
  /** Milliseconds after which the execution of one event is stopped. */
  readonly executionTime: number;
}

/**
 * Opens subscriptions within the limits on streams. The cost of a document is checked once, when
 * the stream is opened, against a budget for one event.
 */
export const subscriptions = ({ streams, executionTime }: Options): Plugin<object, Visit> => ({
  onSubscribe: ({ args, setSubscribeFn, setResultAndStopExecution }) => {
    const execution = args as unknown as ExecutionArgs;
    const { subscription, ...visit } = execution.contextValue as Visit & Context;
    try {
      if (!acceptsEvents(visit.koa)) throw notAcceptable();
      const { schema, document, operationName = null, variableValues } = execution;
      const variables = variableValues ?? {};
      checkCost({ schema, document, operationName, variables, context: visit }, eventBudget);
      const { identify } = subscription;
      const { viewer, request } = visit;
      const stream = streams.open({
        userIds: [viewer?.id, request.sudoerId].filter((id) => typeof id === 'number'),
        caller: currentCaller() ?? callerOf(viewer, request.address),
        check: async () => (await identify()) && { validUntil: null },
      });
      subscription.stream = stream;
      setSubscribeFn(() => subscribeAs(execution, { stream, identify, executionTime }));
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      setResultAndStopExecution({ errors: [error] });
    }
  },
  // after the errors are masked
  onResultProcess: ({ result, serverContext, setResultProcessor }) => {
    if (!isAsyncIterable<ExecutionResult>(result)) return;
    serverContext.subscription.results = result;
    setResultProcessor((_result, { Response }) => new Response(null), mediaType);
  },
});

const acceptsEvents = (ctx: Koa.Context): boolean => ctx.get('Accept').includes(mediaType);

const notAcceptable = () =>
  requestError('BAD_REQUEST', `A subscription needs the header Accept: ${mediaType}`, {
    http: { status: 406 },
  });
