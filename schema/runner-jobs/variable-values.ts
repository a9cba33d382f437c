import { createHash } from 'node:crypto';
import { trimEdges } from '../kernel/trim.ts';

/** As parts of host names take it: lower-case letters, digits and dashes, 63 at the most. */
export const slugOf = (text: string): string =>
  trimEdges(
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '-')
      .slice(0, 63),
    /-/,
  );

const longestEnvironment = 24;

/**
 * The same of an environment: it begins with a letter, has 24 characters at the most, and where it is
 * not the name itself it ends in what tells it from those of other names.
 */
export function environmentSlug(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');
  const slug = (/^[a-z]/.test(plain) ? plain : `env-${plain}`).replaceAll(/-+/g, '-');
  if (slug === name && slug.length <= longestEnvironment) return slug.replace(/-$/, '');
  const digest = createHash('sha256').update(name).digest('hex');
  const suffix = BigInt(`0x${digest}`).toString(36).slice(-6);
  const start = slug.slice(0, longestEnvironment - suffix.length - 1).replace(/-$/, '');
  return `${start}-${suffix}`;
}

/** A text with what it says as `$NAME`, `${NAME}` or `%NAME%`; what is not known is nothing. */
export const expanded = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(
    /\$([a-zA-Z_]\w*)|\$\{([a-zA-Z_]\w*)\}|%([a-zA-Z_]\w*)%/g,
    (_all, plain?: string, braced?: string, percent?: string) =>
      values.get(plain ?? braced ?? percent ?? '') ?? '',
  );
