import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
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
  (settings.current.avatarServiceEnabled ? avatarOf(user.emailKey) : null);

/** Whoever is on one page is on the next: a hash for each row would be a large part of what a page costs. */
const known = new LRUCache<string, string>({ max: 5_000 });

/** The address of a picture at the avatar service, which knows people by the hash of their e-mail. */
function avatarOf(emailKey: string): string {
  const remembered = known.get(emailKey);
  if (remembered) return remembered;
  const address = `https://www.gravatar.com/avatar/${hash('md5', emailKey)}?s=80&d=identicon`;
  known.set(emailKey, address);
  return address;
}
