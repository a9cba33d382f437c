import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  validateSubscriptionArgs,
} from 'graphql';
import { Reading } from '../../prisma/reading-limits.ts';
import type { Context } from '../../schema/kernel/context.ts';
import { unauthenticated } from '../../schema/kernel/errors.ts';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import { boundedAnswer } from '../graphql-limits/answer-size.ts';
import { refusedDocument } from '../graphql-limits/refused-document.ts';
import { callerOf } from '../scheduling/caller.ts';
import { runAs } from '../scheduling/scope.ts';
import type { OpenStream } from './open-streams.ts';

/** The caller as they are now. */
export interface Caller {
  /** Null for an anonymous user. */
  readonly viewer: Viewer | null;
}

interface Subscription {
  readonly stream: OpenStream;
  /** Authenticates the caller again; null if the credential is no longer valid. */
  readonly identify: () => Promise<Caller | null>;
  /** Milliseconds after which the execution of one event is stopped. */
  readonly executionTime: number;
}

/**
 * Subscribes, or gives the errors of a rejected subscription. Each event is executed with the
 * permissions that the caller has at that moment; the stream ends when its credential is no longer
 * valid or its root field is refused.
 */
export async function subscribeAs(
  args: ExecutionArgs,
  subscription: Subscription,
): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> {
  const { stream } = subscription;
  const context = contextOf(args, stream.signal);
  const validated = validateSubscriptionArgs({ ...args, contextValue: context });
  if (!('schema' in validated)) {
    stream.end('finished');
    return { errors: validated };
  }
  const source = await createSourceEventStream(validated);
  if (Symbol.asyncIterator in source) return resultsOf(source, args, subscription);
  stream.end('finished');
  return source;
}

async function* resultsOf(
  source: AsyncIterable<unknown>,
  args: ExecutionArgs,
  { stream, identify, executionTime }: Subscription,
): AsyncGenerator<ExecutionResult, void> {
  try {
    for await (const event of source) {
      const caller = await identify();
      if (!caller) stream.end('unauthenticated');
      if (!caller || stream.ended) break;
      const reader = callerOf(caller.viewer, (args.contextValue as Context).request.address);
      const reading = new Reading(() => reader);
      const result = await reading
        .run(() => executeEvent(event, args, { caller, stream, executionTime }))
        .finally(() => reading.end());
      // an interrupted execution has errors of its own
      if (stream.ended) break;
      yield boundedAnswer(result);
      if (isRefused(result)) break;
    }
    if (stream.ended === 'unauthenticated') yield { errors: [unauthenticated()] };
  } finally {
    stream.end('finished');
  }
}

interface Event extends Pick<Subscription, 'stream' | 'executionTime'> {
  readonly caller: Caller;
}

/** A context of its own for each event: loaders and the viewer must not outlive it. */
async function executeEvent(
  event: unknown,
  args: ExecutionArgs,
  { caller, stream, executionTime }: Event,
): Promise<ExecutionResult> {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    const seconds = Math.ceil(executionTime / 1000);
    controller.abort(refusedDocument(`The execution took longer than ${seconds} seconds`));
  }, executionTime);
  const stop = () => controller.abort();
  stream.signal.addEventListener('abort', stop, { once: true });
  const { signal } = controller;
  try {
    const context = { ...contextOf(args, signal), viewer: caller.viewer };
    // the generator may run in the scope of what announced the event
    return await runAs(callerOf(caller.viewer, context.request.address), async () =>
      execute({ ...args, rootValue: event, contextValue: context, abortSignal: signal }),
    );
  } catch (error) {
    if (signal.aborted && signal.reason instanceof Error)
      return { errors: [asError(signal.reason)] };
    throw error;
  } finally {
    clearTimeout(timer);
    stream.signal.removeEventListener('abort', stop);
  }
}

const asError = (reason: Error) => refusedDocument(reason.message);

/** The context of an execution that `signal` ends. */
function contextOf({ contextValue }: ExecutionArgs, signal: AbortSignal): Context {
  const context = contextValue as Context;
  return { ...context, request: { ...context.request, signal } };
}

/** Whether the root field failed: the record is gone, or the caller may no longer see it. */
const isRefused = ({ errors }: ExecutionResult): boolean =>
  errors?.some(({ path }) => path === undefined || path.length === 1) ?? false;
