import { randomBytes, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import type { Secrets } from '../../schema/ports/secrets.ts';

const cookieName = '_millrace_session';
const cookieShape = /^[0-9a-f]{64}$/;

interface Parts {
  readonly secrets: Pick<Secrets, 'digest'>;
  readonly baseUrl: string;
  readonly basePath: string;
}

/** What ties a browser's requests together. */
export interface Browser {
  /** What a form of ours carries: another site cannot know it. Gives a stranger's browser a name first. */
  formToken(): string;
  /** Whether a form that carries this is ours, sent from a page of ours. */
  isOurs(formToken: string): boolean;
  /** Puts a session into the browser; null takes it out. */
  set(token: string | null): void;
}

/** The cookie of a browser: a session's token, or the name of somebody not signed in; null without one. */
export const sessionCookie = (ctx: Koa.Context): string | null => {
  const value = ctx.cookies.get(cookieName);
  return value && cookieShape.test(value) ? value : null;
};

/** Another site's page made this request, as far as the browser tells. */
export function isFromElsewhere(ctx: Koa.Context, baseUrl: string): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site !== 'same-origin' && site !== 'none';
  const origin = ctx.get('Origin');
  return origin !== '' && origin !== new URL(baseUrl).origin;
}

export function browserOf(ctx: Koa.Context, { secrets, baseUrl, basePath }: Parts): Browser {
  let token = sessionCookie(ctx);
  const put = (value: string | null) => {
    token = value;
    // the address people use decides, not the hop from a proxy to us
    const secure = baseUrl.startsWith('https:');
    // Koa judges by the hop, and would refuse
    if (secure) ctx.cookies.secure = true;
    ctx.cookies.set(cookieName, value, {
      httpOnly: true,
      sameSite: 'lax',
      secure,
      path: basePath === '' ? '/' : basePath,
      overwrite: true,
    });
  };
  const formTokenOf = (name: string) =>
    Buffer.from(secrets.digest(`form\0${name}`)).toString('base64url');
  return {
    formToken: () => {
      if (!token) put(randomBytes(32).toString('hex'));
      return formTokenOf(token ?? '');
    },
    isOurs: (given) => {
      if (!token || isFromElsewhere(ctx, baseUrl)) return false;
      const expected = Buffer.from(formTokenOf(token));
      const shown = Buffer.from(given);
      return shown.length === expected.length && timingSafeEqual(shown, expected);
    },
    set: put,
  };
}
