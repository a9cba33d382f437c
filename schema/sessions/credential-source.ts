import type { Context } from '../kernel/context.ts';

/**
 * The stored credential by which a caller authenticated. What it has opened, such as a transfer or a token of
 * Git LFS, is checked by it again, and ends with it.
 */
export type CredentialSource =
  | { readonly accessTokenId: number }
  | { readonly oauthTokenId: number }
  /** The password of a user; the mark tells it from former and later passwords. */
  | { readonly passwordOf: number; readonly passwordMark: string }
  /** An SSH key of a user, or a deploy key. */
  | { readonly keyId: number }
  | { readonly jobId: number };

/** 132 bits, in base64url. */
const markLength = 22;

/** What tells a password from other ones of its user, without telling anything about it. */
export const passwordMarkOf = (
  { passwordDigest }: { readonly passwordDigest: string | null },
  { secrets }: Pick<Context, 'secrets'>,
): string =>
  Buffer.from(secrets.digest(`password mark\0${passwordDigest ?? ''}`))
    .toString('base64url')
    .slice(0, markLength);
