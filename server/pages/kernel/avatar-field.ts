import type { ReceivedFile } from '../../../schema/kernel/received-file.ts';
import { avatar } from './avatar.ts';
import { checkbox, fileField } from './forms.ts';
import { type Html, html } from './html.ts';
import type { Visit } from './page.ts';

interface Pictured {
  readonly name: string;
  readonly avatarUrl: string | null;
}

/** A field for an avatar, with the present one and a checkbox that removes it. */
export const avatarField = (owner: Pictured, fault: string | null): Html => html`<div class="item">
${avatar(owner, 'large')}
<div class="item-content">${fileField({
  name: 'avatar',
  label: 'Avatar',
  accept: 'image/*',
  hint: 'An image of at most 200 KB.',
  fault,
})}
${
  owner.avatarUrl !== null &&
  checkbox({ name: 'remove_avatar', label: 'Remove the avatar', isChecked: false })
}</div></div>`;

/** The avatar of a submitted form; null to remove it, undefined to leave it unchanged. */
export const avatarOf = ({ files, form }: Visit): ReceivedFile | null | undefined =>
  files.avatar ?? (form.remove_avatar === '1' ? null : undefined);
