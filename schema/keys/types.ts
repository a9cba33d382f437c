import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';
import { md5FingerprintOf } from './public-key.ts';

/** The binary key in a stored key's text. */
const blobOf = (key: string) => Buffer.from(key.split(' ')[1] ?? '', 'base64');

/** A public SSH key of a user, or a deploy key that projects share (v4-behaviour 3.10). */
export const SshKey = builder.prismaObject('Key', {
  name: 'SshKey',
  fields: (t) => ({
    id: t.exposeInt('id'),
    title: t.exposeString('title'),
    key: t.exposeString('key'),
    /** As `ssh-keygen -l` shows it. */
    fingerprint: t.string({
      resolve: ({ fingerprint }) =>
        `SHA256:${Buffer.from(fingerprint)
          .toString('base64')
          .replace(/={1,2}$/, '')}`,
    }),
    /** The legacy MD5 fingerprint. */
    md5Fingerprint: t.string({ resolve: ({ key }) => md5FingerprintOf({ blob: blobOf(key) }) }),
    /** Null: a deploy key. */
    user: t.relation('user', { nullable: true }),
    /** Whether a deploy key may push to any of its projects. */
    canPush: t.boolean({
      select: { projects: { where: { canPush: true }, select: { keyId: true }, take: 1 } },
      resolve: ({ projects }) => projects.length > 0,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

export const SshKeyPage = pageType('SshKey', SshKey);

/** A deploy key of a project. */
export const DeployKey = builder.prismaObject('DeployKeyProject', {
  name: 'DeployKey',
  fields: (t) => ({
    key: t.relation('key', { type: SshKey }),
    canPush: t.exposeBoolean('canPush'),
  }),
});

export const DeployKeyPage = pageType('DeployKey', DeployKey);
