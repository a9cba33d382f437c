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

/** The session cookie: a session token, or a random id of an anonymous browser; null without one. */
export const sessionCookie = (ctx: Koa.Context): string | null => {
  const value = ctx.cookies.get(cookieName);
  return value && cookieShape.test(value) ? value : null;
};

/** Whether a page of another site sent this request, by the browser's headers. */
export function isFromElsewhere(ctx: Koa.Context, baseUrl: string): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site !== 'same-origin' && site !== 'none';
  const origin = ctx.get('Origin');
  return origin !== '' && origin !== new URL(baseUrl).origin;
}

/** The session of a browser, and its protection against cross-site forms. */
export function browserOf(ctx: Koa.Context, { secrets, baseUrl, basePath }: Parts) {
  let token = sessionCookie(ctx);
  const put = (value: string | null) => {
    token = value;
    // the public URL decides, not the connection from a proxy
    const secure = baseUrl.startsWith('https:');
    // Koa checks the connection, and would throw
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
    /** The anti-forgery token of our forms. Sets a cookie first if the browser has none. */
    formToken: (): string => {
      if (!token) put(randomBytes(32).toString('hex'));
      return formTokenOf(token ?? '');
    },
    /** Whether a form token is valid, and one of our pages sent the form. */
    isOurs: (given: string): boolean => {
      if (!token || isFromElsewhere(ctx, baseUrl)) return false;
      const expected = Buffer.from(formTokenOf(token));
      const shown = Buffer.from(given);
      return shown.length === expected.length && timingSafeEqual(shown, expected);
    },
    /** Sets the session cookie; null deletes it. */
    set: put,
  };
}
