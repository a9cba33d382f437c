import Router from '@koa/router';
import type Koa from 'koa';
import { refusal } from '../../../schema/client/execute.ts';
import type { DomainError } from '../../../schema/kernel/errors.ts';
import { assets } from '../assets/assets.ts';
import { busy, tooMany } from './fault.ts';
import { html } from './html.ts';
import type { Answer, Page, Visit } from './page.ts';
import { missing, refused } from './refused.ts';
import { signInAddress } from './return-to.ts';
import { sendAsset, show } from './show.ts';
import { holdsNul, isOurForm, type PagesParts, visitOf } from './visit.ts';

/** Handles the addresses of all pages, and shows errors as pages. Must be the last middleware. */
export function mountPages(pages: readonly Page[], parts: PagesParts): Koa.Middleware {
  const router = new Router({ sensitive: true });
  for (const page of pages) {
    router[page.method](page.path, async (ctx: Koa.Context & { params?: object }, next) => {
      if (page.owns?.(ctx) === false) return next();
      const visit = visitOf(ctx, parts);
      const answer = await answerOf(page, visit, parts);
      if (answer === null) return next();
      ctx.state.route = page.path;
      show(visit, answer);
    });
  }
  for (const path of assets.keys()) router.get(path, (ctx) => sendAsset(ctx, path));
  const routes = router.routes() as unknown as Koa.Middleware;
  return (ctx, next) =>
    routes(ctx, async () => {
      await next();
      if (ctx.status === 404 && !ctx.body && isForPeople(ctx)) show(visitOf(ctx, parts), missing);
    });
}

/** Whether a browser sent the request. Clients of the API get JSON, always below these paths. */
const isForPeople = (ctx: Koa.Context): boolean =>
  !/^\/(api|oauth|graphql|-)(\/|$)/.test(ctx.path) && ctx.accepts('json', 'html') === 'html';

/** Shows an error page if a browser sent the request; returns whether it did. */
export const errorPage =
  (parts: PagesParts) =>
  (ctx: Koa.Context, status: number): boolean => {
    if (!isForPeople(ctx)) return false;
    show(visitOf(ctx, parts), refused(status, failures[status] ?? failures[400]));
    return true;
  };

const failures: Readonly<Record<number, string>> = {
  400: 'The request could not be read.',
  413: 'The request is too large.',
  500: 'Something went wrong on the server. The error was logged.',
  503: 'The service is temporarily unavailable. Try again in a moment.',
  507: 'The server has no storage space left.',
};

async function answerOf(page: Page, visit: Visit, parts: PagesParts): Promise<Answer | null> {
  const { ctx } = visit;
  if (holdsNul(visit)) return refused(400, 'The request contains an invalid character.');
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD' && !isOurForm(visit, parts)) {
    return refused(403, 'This form has expired. Go back, reload the page, and try again.');
  }
  if (page.access === 'signed in' && !visit.viewer) return signInFirst(visit);
  try {
    return await (page.isKept ? parts.keepPage(visit, page.answer) : page.answer(visit));
  } catch (error) {
    const domainError = refusal(error);
    if (!domainError) throw error;
    return explained(domainError, visit);
  }
}

const statusOf = ({ reason }: DomainError): number => (reason === 'storage-full' ? 507 : 503);

const signInFirst = (visit: Visit): Answer => ({ redirect: signInAddress(visit) });

const forbidden = refused(403, 'You do not have permission to do this.');

function explained(error: DomainError, visit: Visit): Answer {
  if (error.retryAfter !== undefined) {
    visit.ctx.set('Retry-After', String(error.retryAfter));
    if (error.code !== 'UNAVAILABLE') return refused(429, tooMany);
  }
  switch (error.code) {
    case 'UNAUTHENTICATED':
      return visit.viewer ? forbidden : signInFirst(visit);
    case 'FORBIDDEN':
      return forbidden;
    case 'NOT_FOUND':
      return visit.viewer || visit.ctx.method !== 'GET'
        ? missing
        : refused(
            404,
            html`This page does not exist, or you need to <a href="${signInAddress(visit)}">sign in</a> to see it.`,
          );
    case 'CONFLICT':
      return refused(409, error.message);
    case 'UNAVAILABLE':
      return refused(statusOf(error), error.reason ? `${error.message}. Try again later.` : busy);
    case 'INVALID':
      return refused(
        422,
        Object.values(error.fields ?? { base: [error.message] })
          .flat()
          .join('; '),
      );
  }
}
