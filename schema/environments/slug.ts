import { createHash } from 'node:crypto';

const maxLength = 24;

/**
 * The slug of an environment: starts with a letter, has at most 24 characters, and unless it equals
 * the name it ends with a hash, so that different names have different slugs. `attempt` gives another
 * one if the slug is taken, as by an environment that has been renamed.
 */
export function environmentSlug(name: string, attempt = 0): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');
  const slug = (/^[a-z]/.test(plain) ? plain : `env-${plain}`).replaceAll(/-+/g, '-');
  if (attempt === 0 && slug === name && slug.length <= maxLength) return slug.replace(/-$/, '');
  const hashed = attempt === 0 ? name : `${name} ${attempt}`;
  const digest = createHash('sha256').update(hashed).digest('hex');
  const suffix = BigInt(`0x${digest}`).toString(36).slice(-6);
  const start = slug.slice(0, maxLength - suffix.length - 1).replace(/-$/, '');
  return `${start}-${suffix}`;
}
