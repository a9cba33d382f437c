import { createHash } from 'node:crypto';
import { avatarUrl } from '../kernel/avatar.ts';
import type { Context } from '../kernel/context.ts';

export interface PicturedUser {
  readonly id: number;
  readonly avatar: string | null;
  readonly emailKey: string;
}

/** The address of somebody's picture: what they uploaded, or what the avatar service has, if it is on. */
export const userPicture = (
  user: PicturedUser,
  { baseUrl, settings }: Pick<Context, 'baseUrl' | 'settings'>,
): string | null =>
  avatarUrl('user', user, baseUrl) ??
  (settings.current.isAvatarServiceEnabled ? avatarOf(user.emailKey) : null);

/** The address of a picture at the avatar service, which knows people by the hash of their e-mail. */
const avatarOf = (emailKey: string) =>
  `https://www.gravatar.com/avatar/${createHash('md5').update(emailKey).digest('hex')}?s=80&d=identicon`;
