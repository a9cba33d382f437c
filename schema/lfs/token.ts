import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../kernel/context.ts';
import type { CredentialSource } from '../sessions/credential-source.ts';

/** What a client is about to do, as in the batch API. */
export type LfsOperation = 'download' | 'upload';

/** The holder of a token: a user, a deploy key, or the user of a CI job that is running. */
export type LfsHolder =
  | {
      readonly userId: number;
      /** What the user authenticated with. The token ends with it. Tokens of former versions lack it. */
      readonly credential?: CredentialSource | undefined;
    }
  | { readonly deployKeyId: number }
  | { readonly jobId: number };

/** What a token permits, provided that its holder still may. An upload includes downloads. */
export interface LfsGrant {
  readonly holder: LfsHolder;
  readonly projectId: number;
  readonly operation: LfsOperation;
}

/** Seconds for which a token is valid: a transfer must have begun by then. */
export const tokenLifetime = 1800;

/** The username that tokens are sent with. */
export const tokenUsername = 'lfs-token';

const id = z.int().min(1);
const credential = z.union([
  z.strictObject({ accessTokenId: id }),
  z.strictObject({ oauthTokenId: id }),
  z.strictObject({ passwordOf: id, passwordMark: z.string() }),
  z.strictObject({ keyId: id }),
  z.strictObject({ jobId: id }),
]);
const payload = z.object({
  holder: z.union([
    z.strictObject({ userId: id, credential: credential.optional() }),
    z.strictObject({ deployKeyId: id }),
    z.strictObject({ jobId: id }),
  ]),
  projectId: id,
  operation: z.enum(['download', 'upload']),
  /** Seconds since 1970. */
  expiresAt: z.int(),
});

const shape = /^lfs\.([A-Za-z0-9_-]{1,400})\.([A-Za-z0-9_-]{43})$/;

type Keys = Pick<Context, 'secrets'>;

/** The prefix keeps these signatures apart from the digests of other tokens. */
const signatureOf = (text: string, { secrets }: Keys): Buffer =>
  Buffer.from(secrets.digest(`lfs\0${text}`));

const now = () => Math.floor(Date.now() / 1000);

/** A token for a grant. It is signed and not stored: any process accepts it, also after a restart. */
export function issueLfsToken(grant: LfsGrant, keys: Keys): string {
  const expiresAt = now() + tokenLifetime;
  const text = Buffer.from(JSON.stringify({ ...grant, expiresAt })).toString('base64url');
  return `lfs.${text}.${signatureOf(text, keys).toString('base64url')}`;
}

/** A token that a client sent, with its grant. */
export interface SentLfsToken extends LfsGrant {
  readonly token: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** The grant of a token; `expired`, or null for a text that is no token of this service. */
export function readLfsToken(token: string, keys: Keys): SentLfsToken | 'expired' | null {
  const [, text, signature] = shape.exec(token) ?? [];
  if (text === undefined || signature === undefined) return null;
  const sent = Buffer.from(signature, 'base64url');
  const ours = signatureOf(text, keys);
  if (sent.length !== ours.length || !timingSafeEqual(sent, ours)) return null;
  const read = payload.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  // of another version: the client asks for a new one
  if (!read.success) return 'expired';
  const { expiresAt, ...grant } = read.data;
  const expiresIn = expiresAt - now();
  return expiresIn > 0 ? { ...grant, token, expiresIn } : 'expired';
}

/** The header that a client sends a token with. */
export const authorizationOf = (token: string): string =>
  `Basic ${Buffer.from(`${tokenUsername}:${token}`).toString('base64')}`;
