import { createHash } from 'node:crypto';
import { trimEdges } from '../kernel/trim.ts';

/** A slug for host names: lower-case letters, digits and dashes, at most 63 characters. */
export const slugOf = (text: string): string =>
  trimEdges(
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '-')
      .slice(0, 63),
    /-/,
  );

const maxEnvironmentLength = 24;

/**
 * The slug of an environment: starts with a letter, has at most 24 characters, and unless it equals
 * the name it ends with a hash, so that different names have different slugs.
 */
export function environmentSlug(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');
  const slug = (/^[a-z]/.test(plain) ? plain : `env-${plain}`).replaceAll(/-+/g, '-');
  if (slug === name && slug.length <= maxEnvironmentLength) return slug.replace(/-$/, '');
  const digest = createHash('sha256').update(name).digest('hex');
  const suffix = BigInt(`0x${digest}`).toString(36).slice(-6);
  const start = slug.slice(0, maxEnvironmentLength - suffix.length - 1).replace(/-$/, '');
  return `${start}-${suffix}`;
}

/** Expands `$NAME`, `${NAME}` and `%NAME%`; unknown variables are empty. */
export const expanded = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(
    /\$([a-zA-Z_]\w*)|\$\{([a-zA-Z_]\w*)\}|%([a-zA-Z_]\w*)%/g,
    (_all, plain?: string, braced?: string, percent?: string) =>
      values.get(plain ?? braced ?? percent ?? '') ?? '',
  );
