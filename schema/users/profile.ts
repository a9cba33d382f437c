import { refuseBadAvatar, replaceAvatar } from '../kernel/avatar.ts';
import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { refuseFaults } from '../kernel/errors.ts';
import { given } from '../kernel/given.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { storedRecord } from '../listing/records.ts';
import { userFaults } from './faults.ts';
import { User } from './types.ts';

/** The texts that null clears. */
const clearable = ['bio', 'location', 'organization'] as const;

const ProfileChange = builder.inputType('ProfileChange', {
  description: 'What users change of their own account; absent fields stay as they are.',
  fields: (t) => ({
    name: t.string({ description: 'The full name.' }),
    bio: t.string({ description: 'A text about the user. Null clears it.' }),
    location: t.string({ description: 'Where the user lives. Null clears it.' }),
    organization: t.string({ description: 'The organization of the user. Null clears it.' }),
    websiteUrl: t.string({ description: 'The URL of a website.' }),
    avatar: t.field({
      type: 'Upload',
      description: 'An image of at most 200 KB. Null removes the avatar.',
    }),
  }),
});

builder.mutationField('updateProfile', (t) =>
  t.prismaField({
    type: User,
    extensions: internal,
    inPerson: true,
    complexity: heavyCost,
    description: 'Changes the public details of the current user.',
    args: {
      profile: t.arg({ type: ProfileChange, required: true, description: 'The details.' }),
    },
    resolve: async (query, _root, { profile: { avatar, ...profile } }, ctx) => {
      const { id } = signedIn(ctx);
      const data = given(profile, clearable);
      refuseFaults({ ...userFaults(data), websiteUrl: websiteFaults(data.websiteUrl) });
      await refuseBadAvatar(avatar, ctx);
      if (Object.keys(data).length > 0) {
        await ctx.db.user.update({ where: { id }, data, select: { id: true } });
      }
      await replaceAvatar({ kind: 'user', id }, avatar, ctx);
      ctx.viewers.forget(id);
      return storedRecord(ctx, 'user', id, query);
    },
  }),
);

/** Pages link to the website: only http and https are allowed. */
function websiteFaults(text: string | undefined): readonly string[] {
  if (!text) return [];
  const url = URL.parse(text);
  const isWebsite = url !== null && ['http:', 'https:'].includes(url.protocol);
  return isWebsite ? (userFaults({ websiteUrl: text }).websiteUrl ?? []) : ['must be a valid URL'];
}
