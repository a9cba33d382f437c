import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { commit, type Files, git, tryGit, workTree } from './git.ts';
import type { TestUser } from './seed.ts';
import { gitWith, sshKeyPair } from './ssh.ts';
import type { World } from './world.ts';

export const pushProtocols = ['HTTP', 'SSH'] as const;

export type PushProtocol = (typeof pushProtocols)[number];

/** A work tree whose branches the users of a test push with git's own client. */
export interface Pushing {
  readonly folder: string;
  /** Adds a commit to a branch, which begins at `master`; gives its SHA. */
  readonly commitTo: (branch: string, message?: string, files?: Files) => Promise<string>;
  /** Pushes branches with `options` of `git push`, and gives what git prints, without `remote: `. */
  readonly push: (
    push: {
      readonly user: TestUser;
      readonly path: string;
      readonly branches: readonly string[];
      readonly protocol?: PushProtocol;
    },
    ...options: readonly string[]
  ) => Promise<{ readonly code: number; readonly stderr: string; readonly lines: string[] }>;
}

/** `sshPort` is that of the server, for pushes over SSH. */
export async function pushing(
  { as, remote }: Pick<World, 'as' | 'remote'>,
  sshPort: number,
): Promise<Pushing> {
  const folder = await workTree({ 'a.txt': 'one\n' });
  const keys = await mkdtemp(join(tmpdir(), 'millrace-keys-'));
  const pairs = new Map<string, ReturnType<typeof keyOf>>();
  const keyOf = async (user: TestUser) => {
    const pair = await sshKeyPair(keys);
    const added = await as(user).post('/user/keys', { title: 'test', key: pair.publicKey });
    expect(added.status).toBe(201);
    return pair;
  };
  return {
    folder,
    commitTo: async (branch, message = `Change ${branch}`, files) => {
      const { code } = await tryGit(folder, 'checkout', '--quiet', branch);
      if (code !== 0) await git(folder, 'checkout', '--quiet', '-b', branch, 'master');
      const change = files ?? { [`${crypto.randomUUID()}.txt`]: message };
      return commit(folder, change, message);
    },
    push: async ({ user, path, branches, protocol = 'HTTP' }, ...options) => {
      const given = options.flatMap((option) => ['-o', option]);
      const run = async () => {
        if (protocol === 'HTTP')
          return tryGit(folder, 'push', ...given, remote(path, user), ...branches);
        const pair = pairs.get(user.username) ?? keyOf(user);
        pairs.set(user.username, pair);
        const address = `ssh://git@localhost:${sshPort}/${path}.git`;
        return gitWith(await pair, folder, 'push', ...given, address, ...branches);
      };
      const { code, stderr } = await run();
      const lines = stderr
        .split('\n')
        .flatMap((line) => (line.startsWith('remote: ') ? [line.slice(8).trimEnd()] : []));
      return { code, stderr, lines };
    },
  };
}
