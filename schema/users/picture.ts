import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { avatarUrl } from '../kernel/avatar.ts';
import type { Context } from '../kernel/context.ts';

export interface AvatarUser {
  readonly id: number;
  readonly avatar: string | null;
  readonly emailKey: string;
}

/** The URL of a user's avatar: the uploaded one, or the avatar service's if it is enabled. */
export const userAvatarUrl = (
  user: AvatarUser,
  { baseUrl, settings }: Pick<Context, 'baseUrl' | 'settings'>,
): string | null =>
  avatarUrl('user', user, baseUrl) ??
  (settings.current.avatarServiceEnabled ? avatarOf(user.emailKey) : null);

/**
 * The same users appear on page after page: hashing for each row would be a large part of a page's
 * cost.
 */
const cachedUrls = new LRUCache<string, string>({ max: 5_000 });

/** The URL at the avatar service, which identifies users by the hash of their e-mail address. */
function avatarOf(emailKey: string): string {
  const remembered = cachedUrls.get(emailKey);
  if (remembered) return remembered;
  const address = `https://www.gravatar.com/avatar/${hash('md5', emailKey)}?s=80&d=identicon`;
  cachedUrls.set(emailKey, address);
  return address;
}
