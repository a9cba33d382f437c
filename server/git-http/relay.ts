import type { Context } from 'koa';
import { GitUnavailable } from '../../schema/kernel/outage.ts';
import type { GitChild } from '../git/process/child.ts';
import { GitFailure } from '../git/process/run.ts';
import { noCacheHeaders } from './responses.ts';
import { writeAndFree } from './transfer.ts';

interface Relay {
  readonly child: GitChild;
  readonly contentType: string;
  /** Sent before the child's output. */
  readonly head?: string;
  /** Called with each chunk of the output, whose memory is freed afterwards. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
  /** Called when the client disconnects; the child's remaining output is discarded. */
  readonly abandon: () => void;
  /** Awaited between the child's exit and the end of the response, of which it gives the last bytes. */
  readonly beforeEnd?: () => Promise<Buffer>;
}

/**
 * Streams a child's output as the response, in constant memory. The status is not sent before the
 * first output, so that a failure can still become an error response: throws if the child fails
 * without output. If it fails later, git has sent its own message to the client, and the failure is
 * returned.
 */
export async function relay(
  ctx: Context,
  { child, contentType, head = '', ...parts }: Relay,
): Promise<Error | null> {
  const { res } = ctx;
  const start = () => {
    if (ctx.respond === false) return;
    ctx.respond = false;
    ctx.status = 200;
    ctx.set(noCacheHeaders);
    ctx.set('Content-Type', contentType);
    if (head !== '') res.write(head);
  };
  const leave = () => {
    parts.abandon();
    child.stdout.resume();
  };
  const proceed = () => child.stdout.resume();
  const drained = new Promise<void>((resolve) => child.stdout.once('close', () => resolve()));
  child.stdout.on('data', (chunk: Buffer<ArrayBuffer>) => {
    parts.onOutput?.(chunk);
    if (res.destroyed) return;
    start();
    if (!writeAndFree(res, chunk)) child.stdout.pause();
  });
  res.on('drain', proceed);
  res.once('close', leave);
  if (res.destroyed) leave();
  try {
    await drained;
    const code = await child.exit;
    const rest = await parts.beforeEnd?.();
    if (code === 0) start();
    const failure = failureOf(code, child.stderr());
    if (failure && ctx.respond !== false) throw failure;
    const isGone = res.destroyed;
    res.end(rest);
    return isGone ? null : failure;
  } finally {
    res.off('drain', proceed);
    res.off('close', leave);
  }
}

/** A git that a signal has ended did not judge the request. */
function failureOf(code: number | null, complaint: string): Error | null {
  if (code === null) return new GitUnavailable(complaint || 'git over HTTP was killed');
  return code === 0 ? null : new GitFailure('over HTTP', complaint || `ended with ${code}`);
}
