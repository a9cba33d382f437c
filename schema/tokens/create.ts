import type { Context } from '../kernel/context.ts';
import { type FieldErrors, refuseFaults } from '../kernel/errors.ts';
import { newToken } from '../kernel/private-token.ts';
import { transact } from '../kernel/storage-errors.ts';
import { availableScopes } from './policy.ts';

/** What is said of a token when it is made. */
export interface NewToken {
  readonly name: string;
  readonly scopes: readonly string[];
  /** A day, at whose beginning in UTC the token ends; null for never. */
  readonly expiresAt: Date | null;
}

const longestName = 255;

/**
 * Makes a token for a user; gives its record's id and the token itself. Only an impersonation token is
 * kept, sealed, to be shown again. Refuses a name, scopes or a day that cannot be (v4-behaviour 3.11).
 */
export async function createToken(
  { userId, kind }: { readonly userId: number; readonly kind: 'personal' | 'impersonation' },
  given: NewToken,
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
): Promise<{ readonly id: number; readonly token: string }> {
  refuseFaults(faultsOf(given));
  const token = newToken();
  const row = {
    userId,
    kind,
    name: given.name,
    scopes: [...new Set(given.scopes)],
    expiresAt: given.expiresAt,
    digest: secrets.digest(token),
    sealed: kind === 'impersonation' ? secrets.seal(token) : null,
  };
  // tried again when somebody who removes the user got the way
  const { id } = await transact(db, (tx) =>
    tx.accessToken.create({ data: row, select: { id: true } }),
  );
  return { id, token };
}

const faultsOf = ({ name, scopes, expiresAt }: NewToken): FieldErrors => ({
  name: nameFaults(name),
  scopes: scopeFaults(scopes),
  // one that ends today would never have been good
  expires_at: expiresAt && expiresAt <= new Date() ? ['must be a day in the future'] : [],
});

function nameFaults(name: string): readonly string[] {
  if (name.trim() === '') return ["can't be blank"];
  return name.length > longestName ? [`is too long (maximum is ${longestName} characters)`] : [];
}

function scopeFaults(scopes: readonly string[]): readonly string[] {
  if (scopes.length === 0) return ["can't be blank"];
  return scopes.every((scope) => availableScopes.includes(scope))
    ? []
    : ['can only contain available scopes'];
}
