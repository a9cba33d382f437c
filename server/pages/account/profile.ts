import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { profilePage } from '../frame/profile-menu.ts';
import { avatar, uploadedPath } from '../kernel/avatar.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultAlert } from '../kernel/fault-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, fileField, formOf, textArea } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { actionForm, saved } from '../kernel/parts.ts';

const OwnProfile = graphql(`
  query OwnProfile {
    viewer {
      name username email bio location organization websiteUrl avatarUrl
      account { isTwoFactorEnabled }
    }
  }
`);

const Update = graphql(`
  mutation UpdateProfile($profile: ProfileChange!) { updateProfile(profile: $profile) { id } }
`);

type Own = ResultOf<typeof OwnProfile>['viewer'];

const texts = ['name', 'bio', 'location', 'organization', 'websiteUrl'] as const;
type Input = Readonly<Record<(typeof texts)[number], string>>;

const inputOf = (given: Readonly<Record<string, unknown>>): Input =>
  Object.fromEntries(texts.map((name) => [name, String(given[name] ?? '')])) as Input;

async function shown(visit: Visit, sent?: Input, fault?: Fault): Promise<ShownPage> {
  const { viewer } = await visit.ask(OwnProfile, {});
  const { url } = visit;
  return profilePage(visit, {
    section: '/profile',
    title: 'Profile',
    status: fault?.status,
    main: html`<div class="columns"><div>
${profileForm(visit, sent ?? inputOf({ ...viewer }), fault)}
</div>
<aside><section>${avatar(viewer, 'large')}
${
  uploadedPath(viewer.avatarUrl) !== null &&
  actionForm(visit, {
    address: url('/profile/avatar/delete'),
    label: 'Remove picture',
    look: 'small',
  })
}</section>
${account(visit, viewer)}</aside></div>`,
  });
}

/** What other pages change. */
const account = ({ url }: Visit, viewer: Own) => html`<section>
<h2>Account</h2>
<dl>
<dt>Username</dt><dd><a href="${url(`/${viewer.username}`)}">${viewer.username}</a></dd>
<dt>E-mail</dt><dd>${viewer.email}</dd>
<dt>Two-factor authentication</dt><dd>${viewer.account?.isTwoFactorEnabled ? 'on' : 'off'}</dd>
</dl>
<p class="quiet">Administrators change usernames and primary e-mail addresses.</p>
</section>`;

function profileForm(visit: Visit, input: Input, fault: Fault | undefined) {
  const faults = fault?.fields ?? {};
  const faultOf = (name: string, label: string) => faultText(faults, name, label);
  const line = (name: 'location' | 'organization', label: string) =>
    field({ name, label, value: input[name], fault: faultOf(name, label) });
  return formOf(
    visit,
    { address: visit.url('/profile'), submit: 'Save changes', isMultipart: true },
    html`${faultAlert(fault, [...texts, 'avatar'])}
${field({
  name: 'name',
  label: 'Name',
  value: input.name,
  isRequired: true,
  autocomplete: 'name',
  fault: faultOf('name', 'Name'),
})}
${fileField({
  name: 'avatar',
  label: 'Picture',
  accept: 'image/*',
  hint: 'An image of at most 200 KB.',
  fault: faultOf('avatar', 'Picture'),
})}
${textArea({
  name: 'bio',
  label: 'About you',
  value: input.bio,
  rows: 3,
  hint: 'At most 255 characters.',
  fault: faultOf('bio', 'The text'),
})}
${line('location', 'Location')}
${line('organization', 'Organization')}
${field({
  name: 'websiteUrl',
  label: 'Website',
  type: 'url',
  value: input.websiteUrl,
  placeholder: 'https://example.com',
  fault: faultOf('websiteUrl', 'Website'),
})}`,
  );
}

function update(visit: Visit): Promise<Answer> {
  const { form, files, url } = visit;
  const input = inputOf(form);
  return orFault(
    visit,
    async () => {
      const { bio, location, organization, ...required } = input;
      await visit.ask(Update, {
        profile: {
          ...required,
          bio: bio || null,
          location: location || null,
          organization: organization || null,
          ...(files.avatar && files.avatar.size > 0 && { avatar: files.avatar }),
        },
      });
      return saved(url('/profile'));
    },
    (fault) => shown(visit, input, fault),
  );
}

async function removeAvatar(visit: Visit): Promise<Answer> {
  await visit.ask(Update, { profile: { avatar: null } });
  return saved(visit.url('/profile'));
}

const access = 'signed in';

export const profilePages: readonly Page[] = [
  { method: 'get', path: '/profile', access, answer: (visit) => shown(visit) },
  { method: 'post', path: '/profile', access, answer: update },
  { method: 'post', path: '/profile/avatar/delete', access, answer: removeAvatar },
];
