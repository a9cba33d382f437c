import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { passwordGrant } from '../oauth/credential.ts';
import { md5FingerprintOf } from './public-key.ts';

/** The binary key in a stored key's text. */
const blobOf = (key: string) => Buffer.from(key.split(' ')[1] ?? '', 'base64');

export const SshKey = builder.prismaObject('Key', {
  name: 'SshKey',
  description: 'A public SSH key of a user, or a deploy key that projects share, for git over SSH.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id, unique among all keys.' }),
    title: t.exposeString('title', { description: 'The title, by which users recognize the key.' }),
    key: t.exposeString('key', {
      description: 'The public key in the format of OpenSSH, such as `ssh-ed25519 AAAA…`.',
    }),
    fingerprint: t.string({
      description: 'The SHA-256 fingerprint as `ssh-keygen -l` shows it, such as `SHA256:…`.',
      resolve: ({ fingerprint }) =>
        `SHA256:${Buffer.from(fingerprint)
          .toString('base64')
          .replace(/={1,2}$/, '')}`,
    }),
    md5Fingerprint: t.string({
      description: 'The MD5 fingerprint as hexadecimal bytes with colons, for older clients.',
      resolve: ({ key }) => md5FingerprintOf({ blob: blobOf(key) }),
    }),
    user: t.relation('user', {
      nullable: true,
      description: 'The owner of the key; null for a deploy key.',
    }),
    canPush: t.boolean({
      extensions: internal,
      description:
        'Whether the deploy key may push to any of its projects; false for the key of a user.',
      select: { projects: { where: { canPush: true }, select: { keyId: true }, take: 1 } },
      resolve: ({ projects }) => projects.length > 0,
    }),
    addedBy: t.string({
      nullable: true,
      description:
        'The name of the application that added the key with an OAuth access token; `password grant` if the token belonged to no application. Null if no application did. Revoking the authorization of the application deletes the key.',
      select: { oauthFamily: true, oauthApplication: { select: { name: true } } },
      resolve: ({ oauthFamily, oauthApplication }) =>
        oauthFamily === null ? null : (oauthApplication?.name ?? passwordGrant),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the key was added.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key expires; null: never.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key was used last for git, within five minutes; null: never.',
    }),
  }),
});

export const SshKeyPage = pageType('SshKey', SshKey);

export const DeployKey = builder.prismaObject('DeployKeyProject', {
  name: 'DeployKey',
  description: 'The use of a deploy key by a project. Only masters of the project see it.',
  fields: (t) => ({
    sshKey: t.relation('key', { type: SshKey, description: 'The key.' }),
    canPush: t.exposeBoolean('canPush', {
      description: 'Whether the key may push to the project.',
    }),
  }),
});

export const DeployKeyPage = pageType('DeployKey', DeployKey);
