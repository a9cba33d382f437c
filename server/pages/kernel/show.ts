import { randomBytes } from 'node:crypto';
import type Koa from 'koa';
import { respond } from '../../../rest-facade/kernel/answer.ts';
import { assets, siteScript, stylesheet } from '../assets/assets.ts';
import { encodedHtml } from './html.ts';
import { layout } from './layout.ts';
import type { Answer, ShownPage, Visit } from './page.ts';

const aYear = 31_536_000;

export function sendAsset(ctx: Koa.Context, path: string): void {
  const { content = '', type = '' } = assets.get(path) ?? {};
  ctx.type = type;
  ctx.set('Cache-Control', `public, max-age=${aYear}, immutable`);
  ctx.body = content;
}

/** Writes the answer of a page. */
export function show(visit: Visit, answer: Answer): void {
  const { ctx } = visit;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Referrer-Policy', 'same-origin');
  if ('redirect' in answer) {
    const isAsked = ctx.method === 'GET' || ctx.method === 'HEAD';
    ctx.status = answer.status ?? (isAsked ? 302 : 303);
    // encode characters that a header cannot hold
    ctx.set('Location', URL.parse(answer.redirect)?.href ?? answer.redirect);
    ctx.body = '';
    return;
  }
  if ('body' in answer) {
    respond(ctx, answer);
    return;
  }
  ctx.type = 'html';
  if ('fragment' in answer) {
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    ctx.body = encodedHtml(answer.fragment);
    return;
  }
  ctx.status = answer.status ?? 200;
  // a script replaces it, which cannot stop a header
  if (answer.refreshAfter !== undefined && !answer.script) {
    ctx.set('Refresh', String(answer.refreshAfter));
  }
  const nonce = randomBytes(16).toString('base64');
  ctx.set('Content-Security-Policy', policyOf(answer, visit, nonce));
  const document = layout(answer, visit, {
    stylesheet: visit.url(stylesheet.path),
    script: visit.url(siteScript.path),
    nonce,
  });
  // bytes: measuring and writing would each encode a text again
  ctx.body = encodedHtml(document);
}

/** Our own scripts by their nonce; our own styles; images from any HTTPS host, as user texts embed them. */
const policyOf = ({ formTargets = [] }: ShownPage, visit: Visit, nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: https:",
    `form-action ${["'self'", ...afterSignOut(visit), ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The external target of the sign-out form in every page's header. */
function afterSignOut({ viewer, settings }: Visit): readonly string[] {
  const address = viewer && settings.afterSignOutPath && URL.parse(settings.afterSignOutPath);
  return address ? [address.origin] : [];
}
