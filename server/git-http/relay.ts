import type { Context } from 'koa';
import type { GitChild } from '../git/process/child.ts';
import { GitFailure } from '../git/process/run.ts';
import { noCacheHeaders } from './responses.ts';

export interface Relay {
  readonly child: GitChild;
  readonly contentType: string;
  /** Goes before the child's output. */
  readonly head?: string;
  /** What to do with the child when the client goes away; its output is thrown away then. */
  readonly abandon: () => void;
  /** Awaited between the child's end and the end of the answer. */
  readonly beforeEnd?: () => Promise<void>;
}

/**
 * Sends a child's output as the answer, in constant memory. The status stays open until there is
 * output, so that a failure can still be told: a child that fails without a word throws. One that
 * fails in the midst of its answer has told the client in its own words; the failure is given back.
 */
export async function relay(
  ctx: Context,
  { child, contentType, head = '', ...parts }: Relay,
): Promise<GitFailure | null> {
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
  child.stdout.on('data', (chunk: Buffer) => {
    if (res.destroyed) return;
    start();
    if (!res.write(chunk)) child.stdout.pause();
  });
  res.on('drain', proceed);
  res.once('close', leave);
  if (res.destroyed) leave();
  try {
    await drained;
    const code = await child.exit;
    await parts.beforeEnd?.();
    if (code === 0) start();
    const failure =
      code === 0 ? null : new GitFailure('over HTTP', child.stderr() || `ended with ${code}`);
    if (failure && ctx.respond !== false) throw failure;
    const isGone = res.destroyed;
    res.end();
    return isGone ? null : failure;
  } finally {
    res.off('drain', proceed);
    res.off('close', leave);
  }
}
