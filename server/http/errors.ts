import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';

/** A failure that may be told: `status` is the caller's fault, `expose` says so. */
interface Told {
  readonly status: number;
  readonly message: string;
  /** The JSON body, where it is not just the message. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function toldOf(error: unknown): Told | null {
  if (!(error instanceof Error)) return null;
  const { status, expose } = error as Error & { status?: unknown; expose?: unknown };
  const isTold = expose === true && typeof status === 'number' && status >= 400 && status < 500;
  return isTold ? (error as Error & Told) : null;
}

function write(ctx: Context, status: number, body: unknown): void {
  ctx.status = status;
  ctx.res.setHeader('Content-Type', 'application/json');
  ctx.res.setHeader('Cache-Control', 'no-cache');
  ctx.body = JSON.stringify(body);
}

/** Whether the other side simply went away. */
const isGone = (ctx: Context) => !ctx.writable;

/** Tells a person rather than a program; whether it was one. */
type Tell = (ctx: Context, status: number) => boolean;

/** The last resort: what nobody foresaw is logged with its request's id and never explained. */
export const catchErrors =
  (logger: Logger, tellPerson: Tell = () => false): Middleware =>
  async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (ctx.res.headersSent || isGone(ctx)) {
        logger.debug({ err: error, requestId: ctx.state.requestId }, 'connection lost');
        ctx.res.destroy();
        return;
      }
      const told = toldOf(error);
      if (told) {
        for (const [name, value] of Object.entries(told.headers ?? {})) ctx.set(name, value);
        if (tellPerson(ctx, told.status)) return;
        write(ctx, told.status, told.body ?? { error: told.message });
        return;
      }
      logger.error({ err: error, requestId: ctx.state.requestId }, 'request failed');
      for (const name of ['ETag', 'Link', 'Content-Disposition']) ctx.remove(name);
      if (tellPerson(ctx, 500)) return;
      write(ctx, 500, { message: '500 Internal Server Error' });
    }
  };
