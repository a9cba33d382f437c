import type { Context } from '../kernel/context.ts';
import { type FieldErrors, refuseFaults } from '../kernel/errors.ts';
import { newToken } from '../kernel/private-token.ts';
import { transact } from '../kernel/storage-errors.ts';
import { scopeFaults } from './policy.ts';

/** The fields of a new token. */
export interface NewToken {
  readonly name: string;
  readonly scopes: readonly string[];
  /** The token expires at the start of this day in UTC; null for never. */
  readonly expiresAt: Date | null;
}

const longestName = 255;

/**
 * Creates a token for a user; returns its record's id and the token itself. Only impersonation
 * tokens are stored (sealed), to be shown again. Throws for an invalid name, scope or date
 * (v4-behaviour 3.11).
 */
export async function createToken(
  { userId, kind }: { readonly userId: number; readonly kind: 'personal' | 'impersonation' },
  input: NewToken,
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
): Promise<{ readonly id: number; readonly token: string }> {
  refuseFaults(faultsOf(input));
  const token = newToken();
  const row = {
    userId,
    kind,
    name: input.name,
    scopes: [...new Set(input.scopes)],
    expiresAt: input.expiresAt,
    digest: secrets.digest(token),
    sealed: kind === 'impersonation' ? secrets.seal(token) : null,
  };
  // retried after losing a conflict with a concurrent removal of the user
  const { id } = await transact(db, (tx) =>
    tx.accessToken.create({ data: row, select: { id: true } }),
  );
  return { id, token };
}

const faultsOf = ({ name, scopes, expiresAt }: NewToken): FieldErrors => ({
  name: nameFaults(name),
  scopes: scopeFaults(scopes),
  // a token that expires today would never be valid
  expiresAt: expiresAt && expiresAt <= new Date() ? ['must be a day in the future'] : [],
});

function nameFaults(name: string): readonly string[] {
  if (name.trim() === '') return ["can't be blank"];
  return name.length > longestName ? [`is too long (maximum is ${longestName} characters)`] : [];
}
