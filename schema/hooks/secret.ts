import type { Context } from '../kernel/context.ts';

/** What of a hook nobody is shown: the secret that is sent along, and who signs in at its address. */
export interface HookSecret {
  readonly token: string;
  readonly username: string;
  readonly password: string;
}

type Sealing = Pick<Context, 'secrets'>;

/** Null when there is nothing to keep. */
export const sealHook = (secret: HookSecret, { secrets }: Sealing): string | null =>
  secret.token + secret.username + secret.password === ''
    ? null
    : secrets.seal(JSON.stringify(secret));

export const openHook = (sealed: string | null, { secrets }: Sealing): HookSecret =>
  sealed === null
    ? { token: '', username: '', password: '' }
    : (JSON.parse(secrets.open(sealed)) as HookSecret);

/** An address and who signs in there, told apart: the address is shown, the other is not. */
export function partsOf(text: string): Omit<HookSecret, 'token'> & { readonly url: string } {
  const url = new URL(text);
  const [username, password] = [url.username, url.password].map(decodeURIComponent);
  if (!username && !password) return { url: text, username: '', password: '' };
  url.username = '';
  url.password = '';
  return { url: url.href, username: username ?? '', password: password ?? '' };
}
