import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { invalid } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { checkPassword } from './sign-in.ts';

/** The argument of a mutation that calls `requireOwnPassword`. */
export const withPassword = builder.args((t) => ({
  password: t.string({ required: true, description: 'The password of the current user.' }),
}));

/**
 * The current user, if `password` is theirs, local or in the directory: protects what an unattended
 * browser must not reveal. Throws `invalid` for the field `argument` if the password is wrong, and
 * after too many wrong ones, counted with failed sign-ins.
 */
export async function requireOwnPassword(
  password: string,
  ctx: Context,
  argument: 'password' | 'currentPassword' = 'password',
): Promise<Viewer> {
  const viewer = signedIn(ctx);
  // by the username, which no other entry of a directory has: an address may be that of another user
  const login = viewer.username;
  const user = await checkPassword({ login, password, address: ctx.request.address }, ctx);
  if (user?.id !== viewer.id) throw invalid({ [argument]: ['is wrong'] });
  return viewer;
}
