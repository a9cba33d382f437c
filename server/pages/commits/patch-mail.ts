interface Mailed {
  readonly id: string;
  readonly message: string;
  /** `at` is ISO 8601 with an offset. */
  readonly author: { readonly name: string; readonly email: string; readonly at: string };
}

/** Git's own constant: it marks the line as the start of a patch. */
const epoch = 'Mon Sep 17 00:00:00 2001';

/** Line breaks would begin another header. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `2026-01-02T10:00:00+01:00` → `Fri, 2 Jan 2026 10:00:00 +0100`. */
function mailDate(at: string): string {
  const offset = /[+-]\d\d:\d\d$/.exec(at)?.[0] ?? '+00:00';
  const local = new Date(`${at.slice(0, 19)}Z`);
  const date = `${local.getUTCDate()} ${months[local.getUTCMonth()]} ${local.getUTCFullYear()}`;
  return `${days[local.getUTCDay()]}, ${date} ${at.slice(11, 19)} ${offset.replace(':', '')}`;
}

/** A commit as a mail that `git am` applies. */
export function mailOf({ id, message, author }: Mailed, patch: string): string {
  const end = message.indexOf('\n');
  const title = end < 0 ? message : message.slice(0, end);
  const body = end < 0 ? '' : message.slice(end).trim();
  return [
    `From ${id} ${epoch}`,
    `From: ${oneLine(author.name)} <${oneLine(author.email)}>`,
    `Date: ${mailDate(author.at)}`,
    `Subject: [PATCH] ${oneLine(title)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    ...(body === '' ? [] : [body]),
    '---',
    '',
    `${patch}-- `,
    'Millrace',
    '',
  ].join('\n');
}
