import { type Html, html } from './html.ts';

interface Pictured {
  readonly name: string;
  readonly avatarUrl: string | null;
}

const hues = 8;

/** A colour that stays the same for a name. */
function hueOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return sum % hues;
}

/**
 * The path of an uploaded picture; the public URL may have another host than this visit. Pages load
 * no pictures from other hosts, which would see the addresses of visitors.
 */
function uploadedPath(avatarUrl: string | null): string | null {
  const path = avatarUrl === null ? null : (URL.parse(avatarUrl)?.pathname ?? null);
  return path?.includes('/uploads/-/system/') ? path : null;
}

/**
 * The picture of a user, group or project, or its initial on a colour. The name stands beside it, so
 * screen readers skip it.
 */
export function avatar(
  { name, avatarUrl }: Pictured,
  size: 'small' | 'medium' | 'large' = 'small',
): Html {
  const path = uploadedPath(avatarUrl);
  if (path !== null) return html`<img class="avatar ${size}" src="${path}" alt="" loading="lazy">`;
  const [initial = '?'] = name.trim();
  return html`<span class="avatar ${size} hue-${hueOf(name)}" data-initial="${initial.toUpperCase()}" aria-hidden="true"></span>`;
}
