import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type Koa from 'koa';
import { respond } from '../../rest-facade/kernel/answer.ts';
import { layout } from './layout.ts';
import type { Answer, ShownPage, Visit } from './page.ts';
import { terminalColours } from './terminal-colours.ts';

/** One stylesheet for all pages; its name changes with its content, so browsers can cache it. */
const style = `${readFileSync(new URL('style.css', import.meta.url), 'utf8')}\n${terminalColours}\n`;
export const stylesheet = `/assets/${createHash('sha256').update(style).digest('hex').slice(0, 16)}.css`;
const aYear = 31_536_000;

export function sendStylesheet(ctx: Koa.Context): void {
  ctx.type = 'text/css';
  ctx.set('Cache-Control', `public, max-age=${aYear}, immutable`);
  ctx.body = style;
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
  ctx.status = answer.status ?? 200;
  ctx.type = 'html';
  // a header, because the policy forbids scripts
  if (answer.refreshAfter !== undefined) ctx.set('Refresh', String(answer.refreshAfter));
  ctx.set('Content-Security-Policy', policyOf(answer, visit));
  ctx.body = layout(answer, visit, { stylesheet: visit.url(stylesheet) }).markup;
}

/** No scripts; our own styles; images from any HTTPS host, as user texts embed them. */
const policyOf = ({ formTargets = [] }: ShownPage, visit: Visit): string =>
  [
    "default-src 'none'",
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
