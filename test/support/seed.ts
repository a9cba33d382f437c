import { rm } from 'node:fs/promises';
import type { Database } from '../../prisma/client.ts';
import { privateTokenRow } from '../../schema/kernel/private-token.ts';
import { createUser, type NewUser } from '../../schema/users/create.ts';
import { argon2Passwords } from '../../server/accounts/passwords.ts';
import { unlockSecrets } from '../../server/accounts/secret-key.ts';
import { loadSettings } from '../../server/accounts/settings.ts';
import type { ApiResponse, Client, Parameters } from './client.ts';
import { type Files, git, workTree } from './git.ts';
import { recordSecrets } from './logged-secrets.ts';

/** A user with a password and a token. */
export interface TestUser {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

export interface Created {
  readonly id: number;
}

const levels = { guest: 10, reporter: 20, developer: 30, master: 40, owner: 50 } as const;

/** Members by access level: `{ master: ada, reporter: bob }`. */
export type Roles = { readonly [Level in keyof typeof levels]?: TestUser | readonly TestUser[] };

/** Creates the initial records of a test. */
export interface Seed {
  /** `await seed.user('ada')`: her name is Ada, her token is `ada-token-…`. */
  readonly user: (
    username: string,
    traits?: Partial<
      Pick<
        NewUser,
        'email' | 'isEmailVerified' | 'isAdmin' | 'isExternal' | 'canCreateGroup' | 'projectsLimit'
      >
    >,
  ) => Promise<TestUser>;
  /** `await seed.group('acme/tools', { owner: ada })`; the parent groups must exist. */
  readonly group: (fullPath: string, roles?: Roles, settings?: Parameters) => Promise<Created>;
  /** `await seed.project('acme/tools/app', { developer: bob }, { visibility: 'public' })` */
  readonly project: (fullPath: string, roles?: Roles, settings?: Parameters) => Promise<Created>;
  /** `await seed.push('acme/app', { 'README.md': '# App' })`: one commit on `master`, by the administrator. */
  readonly push: (fullPath: string, files: Files) => Promise<string>;
}

interface SeedParts {
  readonly db: Database;
  readonly dataFolder: string;
  readonly root: Client;
  /** The clone URL of a project, with the administrator's credentials. */
  readonly remote: (fullPath: string) => string;
}

/** The digests of passwords: a hash takes 40 ms, and files use the same names. */
const digests = new Map<string, Promise<string>>();
const { hash, verify } = argon2Passwords();
const passwords = {
  verify,
  hash: (password: string) => {
    const digest = digests.get(password) ?? hash(password);
    digests.set(password, digest);
    return digest;
  },
};

export async function seedOf({ db, dataFolder, root, remote }: SeedParts): Promise<Seed> {
  const secrets = await unlockSecrets(dataFolder, db);
  const settings = await loadSettings(db);

  const grant = async (source: string, roles: Roles) => {
    for (const [level, users] of Object.entries(roles)) {
      for (const { id } of [users].flat() as TestUser[]) {
        const access_level = levels[level as keyof typeof levels];
        await created(root.post(`${source}/members`, { user_id: id, access_level }));
      }
    }
  };
  const namespaceOf = async (fullPath: string) => {
    const key = fullPath.split('/').slice(0, -1).join('/').toLowerCase();
    const { namespaceId } = await db.route.findUniqueOrThrow({ where: { key } });
    return namespaceId;
  };
  const lastOf = (fullPath: string) => fullPath.split('/').at(-1) ?? '';

  return {
    user: async (username, traits = {}) => {
      const user = {
        username,
        name: `${username.slice(0, 1).toUpperCase()}${username.slice(1)}`,
        email: traits.email ?? `${username}@example.com`,
        password: `password of ${username}`,
      };
      const token = `${username}-token-`.padEnd(20, '0');
      recordSecrets({ token, password: user.password });
      const parts = { db, passwords, settings };
      const id = await createUser(parts, { ...user, ...traits }, privateTokenRow(secrets, token));
      return { ...user, id, token };
    },
    group: async (fullPath, roles = {}, settings = {}) => {
      const parent_id = fullPath.includes('/') ? await namespaceOf(fullPath) : undefined;
      const path = lastOf(fullPath);
      const group = await created(
        root.post('/groups', { name: path, path, parent_id, ...settings }),
      );
      await grant(`/groups/${group.id}`, roles);
      return group;
    },
    project: async (fullPath, roles = {}, settings = {}) => {
      const namespace_id = await namespaceOf(fullPath);
      const path = lastOf(fullPath);
      const project = await created(root.post('/projects', { path, namespace_id, ...settings }));
      await grant(`/projects/${project.id}`, roles);
      return project;
    },
    push: async (fullPath, files) => {
      const folder = await workTree(files);
      await git(folder, 'push', '--quiet', remote(fullPath), 'master');
      const sha = await git(folder, 'rev-parse', 'HEAD');
      await rm(folder, { recursive: true });
      return sha;
    },
  };
}

async function created(pending: Promise<ApiResponse>): Promise<Created> {
  const { status, body } = await pending;
  if (status !== 201) throw new Error(`the seed failed: ${status} ${JSON.stringify(body)}`);
  return body as Created;
}
