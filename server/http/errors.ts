import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { explain } from '../../rest-facade/kernel/errors.ts';
import { type ReportOutage, unavailableOf } from '../../schema/client/execute.ts';

/** An error that may be shown: `status` is 4xx or 503, and `expose` is true. */
interface ShownError {
  readonly status: number;
  readonly message: string;
  /** The JSON body, if it is more than the message. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function shownErrorOf(error: unknown): ShownError | null {
  if (!(error instanceof Error)) return null;
  const { status, expose } = error as Error & { status?: unknown; expose?: unknown };
  const isShown = (value: unknown) =>
    typeof value === 'number' && ((value >= 400 && value < 500) || value === 503);
  return expose === true && isShown(status) ? (error as Error & ShownError) : null;
}

function write(ctx: Context, status: number, body: unknown): void {
  ctx.status = status;
  ctx.res.setHeader('Content-Type', 'application/json');
  ctx.res.setHeader('Cache-Control', 'no-cache');
  ctx.body = JSON.stringify(body);
}

/** Whether the client disconnected. */
const isGone = (ctx: Context) => !ctx.writable;

interface CatchOptions {
  /** Shows an error page if a browser sent the request; returns whether it did. */
  readonly showPage?: (ctx: Context, status: number) => boolean;
  readonly reportOutage?: ReportOutage;
}

/** Catches all errors. Unexpected ones are logged with the request id and never explained. */
export const catchErrors =
  (
    logger: Logger,
    { showPage = () => false, reportOutage = () => {} }: CatchOptions = {},
  ): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (ctx.res.headersSent || isGone(ctx)) {
        logger.debug({ err: error, requestId: ctx.state.requestId }, 'connection lost');
        ctx.res.destroy();
        return;
      }
      const shown = shownErrorOf(error);
      if (shown) {
        for (const [name, value] of Object.entries(shown.headers ?? {})) ctx.set(name, value);
        if (showPage(ctx, shown.status)) return;
        write(ctx, shown.status, shown.body ?? { error: shown.message });
        return;
      }
      for (const name of ['ETag', 'Link', 'Content-Disposition']) ctx.remove(name);
      const explained = explain(unavailableOf(error, reportOutage, ctx.state.requestId));
      if (explained) {
        ctx.set(explained.headers ?? {});
        if (!showPage(ctx, explained.status)) write(ctx, explained.status, explained.body);
        return;
      }
      logger.error({ err: error, requestId: ctx.state.requestId }, 'request failed');
      if (showPage(ctx, 500)) return;
      write(ctx, 500, { message: '500 Internal Server Error' });
    }
  };
