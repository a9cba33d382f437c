import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Router from '@koa/router';
import type Koa from 'koa';
import { type Execute, refusal } from '../../schema/client/execute.ts';
import type { DomainError } from '../../schema/kernel/errors.ts';
import type { Secrets } from '../../schema/ports/secrets.ts';
import type { Settings } from '../../schema/ports/settings.ts';
import { browserOf } from '../http/browser-session.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import type { Answer, Page, ShownPage, Visit } from './page.ts';

export interface PagesParts {
  readonly execute: Execute;
  readonly secrets: Pick<Secrets, 'digest'>;
  readonly settings: Settings;
  /** Public base URL without a trailing slash. */
  readonly baseUrl: string;
  readonly basePath: string;
}

/** One file for all pages, under a name that changes with it: browsers need not ask again. */
const style = readFileSync(new URL('style.css', import.meta.url));
const stylesheet = `/assets/${createHash('sha256').update(style).digest('hex').slice(0, 16)}.css`;
const aYear = 31_536_000;

/** Answers every address that is a page's, and shows refusals as pages. The last in the row. */
export function mountPages(pages: readonly Page[], parts: PagesParts): Koa.Middleware {
  const router = new Router({ sensitive: true });
  for (const page of pages) {
    router[page.method](page.path, async (ctx: Koa.Context & { params?: object }) => {
      ctx.state.route = page.path;
      const visit = visitOf(ctx, parts);
      write(visit, await answerOf(page, visit, parts), parts);
    });
  }
  router.get(stylesheet, (ctx) => {
    ctx.type = 'text/css';
    ctx.set('Cache-Control', `public, max-age=${aYear}, immutable`);
    ctx.body = style;
  });
  const routes = router.routes() as unknown as Koa.Middleware;
  return routes;
}

async function answerOf(page: Page, visit: Visit, parts: PagesParts): Promise<Answer> {
  const { ctx } = visit;
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

const signInFirst = (visit: Visit): Answer => {
  const wished = visit.ctx.method === 'GET' ? visit.ctx.url : '/profile';
  return { redirect: visit.url(`/users/sign_in?return_to=${encodeURIComponent(wished)}`) };
};

function explained(error: DomainError, visit: Visit): Answer {
  if (error.retryAfter !== undefined) {
    visit.ctx.set('Retry-After', String(error.retryAfter));
    return refused(429, 'Too many attempts. Wait a while and try again.');
  }
  switch (error.code) {
    case 'UNAUTHENTICATED':
      return visit.viewer ? refused(403, 'You may not do this.') : signInFirst(visit);
    case 'FORBIDDEN':
      return refused(403, 'You may not do this.');
    case 'NOT_FOUND':
      return visit.viewer || visit.ctx.method !== 'GET'
        ? refused(404, 'There is nothing here, or nothing that you may see.')
        : refused(404, 'There is nothing here, or nothing to see without signing in.');
    case 'CONFLICT':
      return refused(409, error.message);
    case 'INVALID':
      return refused(
        422,
        Object.values(error.fields ?? { base: [error.message] })
          .flat()
          .join('; '),
      );
  }
}

/** A page that says why there is none. */
export const refused = (status: number, text: string): ShownPage => ({
  title: String(status),
  status,
  main: html`<h1>${status}</h1><p>${text}</p>`,
});

function visitOf(ctx: Koa.Context & { params?: object }, parts: PagesParts): Visit {
  const browser = browserOf(ctx, parts);
  const viewer = ctx.state.credential?.kind === 'session' ? (ctx.state.viewer ?? null) : null;
  const visit: Visit = {
    viewer,
    params: { ...ctx.params },
    query: texts(ctx.query),
    form: texts(ctx.request.body ?? {}),
    settings: parts.settings.current,
    get formToken() {
      return html`<input type="hidden" name="authenticity_token" value="${browser.formToken()}">`;
    },
    url: (path) => `${parts.basePath}${path}`,
    ask: (document, variables) =>
      parts.execute(document, variables, viewer, {
        id: ctx.state.requestId ?? '',
        address: ctx.ip,
      }),
    setSession: browser.set,
    ctx,
  };
  return visit;
}

/** Text by text; what is no text is left out. */
function texts(given: object): Readonly<Record<string, string>> {
  const pairs = Object.entries(given).flatMap(([name, value]: [string, unknown]) => {
    const last = Array.isArray(value) ? value.at(-1) : value;
    return typeof last === 'string' || typeof last === 'number' ? [[name, String(last)]] : [];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

const isOurForm = ({ ctx, form }: Visit, parts: PagesParts): boolean =>
  browserOf(ctx, parts).isOurs(form.authenticity_token ?? '');

function write({ ctx, ...visit }: Visit, answer: Answer, parts: PagesParts): void {
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Referrer-Policy', 'same-origin');
  if ('redirect' in answer) {
    // 303: whatever the browser sent, it asks for the next page
    ctx.status = ctx.method === 'GET' || ctx.method === 'HEAD' ? 302 : 303;
    ctx.set('Location', answer.redirect);
    ctx.body = '';
    return;
  }
  if ('body' in answer) {
    ctx.type = answer.type;
    ctx.body = answer.body;
    return;
  }
  ctx.status = answer.status ?? 200;
  ctx.type = 'html';
  ctx.set('Content-Security-Policy', policyOf(answer));
  const shown = { ...visit, ctx } as Visit;
  ctx.body = layout(answer, shown, { stylesheet: `${parts.basePath}${stylesheet}` }).markup;
}

/** No script at all; styles and pictures of our own, pictures of people from where theirs are. */
const policyOf = ({ formTargets = [] }: ShownPage): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data: https:",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
