import type { Context } from '../kernel/context.ts';

/** The parts of a hook that are never shown: the token, and the credentials of its URL. */
export interface HookSecret {
  readonly token: string;
  readonly username: string;
  readonly password: string;
}

type Sealing = Pick<Context, 'secrets'>;

/** Null if all parts are empty. */
export const sealHook = (secret: HookSecret, { secrets }: Sealing): string | null =>
  secret.token + secret.username + secret.password === ''
    ? null
    : secrets.seal(JSON.stringify(secret));

export const openHook = (sealed: string | null, { secrets }: Sealing): HookSecret =>
  sealed === null
    ? { token: '', username: '', password: '' }
    : (JSON.parse(secrets.open(sealed)) as HookSecret);

/** Splits a URL into the part that is shown and its credentials. */
export function splitUrl(text: string): Omit<HookSecret, 'token'> & { readonly url: string } {
  const url = new URL(text);
  const [username, password] = [url.username, url.password].map(decodeURIComponent);
  if (!username && !password) return { url: text, username: '', password: '' };
  url.username = '';
  url.password = '';
  return { url: url.href, username: username ?? '', password: password ?? '' };
}
