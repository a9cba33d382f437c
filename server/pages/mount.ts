import Router from '@koa/router';
import type Koa from 'koa';
import { refusal } from '../../schema/client/execute.ts';
import type { DomainError } from '../../schema/kernel/errors.ts';
import { busy, tooMany } from './fault.ts';
import { html } from './html.ts';
import type { Answer, Page, Visit } from './page.ts';
import { missing, refused } from './refused.ts';
import { signInAddress } from './return-to.ts';
import { sendStylesheet, show, stylesheet } from './show.ts';
import { holdsNul, isOurForm, type PagesParts, visitOf } from './visit.ts';

/** Answers every address that is a page's, and shows refusals as pages. The last in the row. */
export function mountPages(pages: readonly Page[], parts: PagesParts): Koa.Middleware {
  const router = new Router({ sensitive: true });
  for (const page of pages) {
    router[page.method](page.path, async (ctx: Koa.Context & { params?: object }, next) => {
      const visit = visitOf(ctx, parts);
      const answer = await answerOf(page, visit, parts);
      if (answer === null) return next();
      ctx.state.route = page.path;
      show(visit, answer);
    });
  }
  router.get(stylesheet, sendStylesheet);
  const routes = router.routes() as unknown as Koa.Middleware;
  return (ctx, next) =>
    routes(ctx, async () => {
      await next();
      if (ctx.status === 404 && !ctx.body && isForPeople(ctx)) show(visitOf(ctx, parts), missing);
    });
}

/** Programs are told in JSON, and what they ask for below these addresses always is. */
const isForPeople = (ctx: Koa.Context): boolean =>
  !/^\/(api|oauth|graphql|-)(\/|$)/.test(ctx.path) && ctx.accepts('json', 'html') === 'html';

/** Shows a failure as a page where a person looks; whether it did. */
export const errorPage =
  (parts: PagesParts) =>
  (ctx: Koa.Context, status: number): boolean => {
    if (!isForPeople(ctx)) return false;
    show(visitOf(ctx, parts), refused(status, failures[status] ?? failures[400]));
    return true;
  };

const failures: Readonly<Record<number, string>> = {
  400: 'What was sent cannot be read.',
  413: 'What was sent is too large.',
  500: 'Something went wrong here, and was written down.',
  503: 'The service is not available at the moment. Try again in a moment.',
  507: 'There is no space left to store this.',
};

async function answerOf(page: Page, visit: Visit, parts: PagesParts): Promise<Answer | null> {
  const { ctx } = visit;
  if (holdsNul(visit)) return refused(400, 'There is a character in this that no text has.');
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD' && !isOurForm(visit, parts)) {
    return refused(403, 'This form is out of date. Go back, load the page again, and repeat it.');
  }
  if (page.access === 'signed in' && !visit.viewer) return signInFirst(visit);
  try {
    return await page.answer(visit);
  } catch (error) {
    const known = refusal(error);
    if (!known) throw error;
    return explained(known, visit);
  }
}

const statusOf = ({ reason }: DomainError): number => (reason === 'storage-full' ? 507 : 503);

const signInFirst = (visit: Visit): Answer => ({ redirect: signInAddress(visit) });

function explained(error: DomainError, visit: Visit): Answer {
  if (error.retryAfter !== undefined) {
    visit.ctx.set('Retry-After', String(error.retryAfter));
    if (error.code !== 'UNAVAILABLE') return refused(429, tooMany);
  }
  switch (error.code) {
    case 'UNAUTHENTICATED':
      return visit.viewer ? refused(403, 'You may not do this.') : signInFirst(visit);
    case 'FORBIDDEN':
      return refused(403, 'You may not do this.');
    case 'NOT_FOUND':
      return visit.viewer || visit.ctx.method !== 'GET'
        ? missing
        : refused(
            404,
            html`There is nothing here, or nothing to see without <a href="${signInAddress(visit)}">signing in</a>.`,
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
