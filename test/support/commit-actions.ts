import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { git, workTree } from './git.ts';
import { world } from './world.ts';

/** A world to cherry-pick or revert commits in: a work tree of `ada/app`, where bob is a developer. */
export async function commitWorld(action: 'cherry_pick' | 'revert') {
  const { as, seed, root, remote, db, dataFolder } = await world({
    settings: { defaultBranchProtection: 0 },
  });
  const ada = await seed.user('ada');
  const bob = await seed.user('bob');
  const carl = await seed.user('carl');
  const { id: app } = await seed.project('ada/app', { developer: bob, reporter: carl });
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id: app } });
  const folder = await workTree({ 'a.txt': 'a\n', 'b.txt': '1\n2\n3\n4\n5\n6\n7\n8\n' });
  const start = await git(folder, 'rev-parse', 'HEAD');
  afterAll(() => rm(folder, { recursive: true }));
  return {
    ...{ as, seed, db, ada, bob, carl, app, folder, start },
    /** The repository of the project on the server. */
    repository: join(dataFolder, 'repositories', `${diskPath}.git`),
    pathFor: (sha: string) => `/projects/${app}/repository/commits/${sha}/${action}`,
    /** Merges a commit into the first one, on a new branch; returns the id of the merge. */
    merge: async (sha: string) => {
      await git(folder, 'checkout', '--quiet', '-b', 'merging', start);
      await git(folder, 'merge', '--quiet', '--no-ff', '--message=Merge', sha);
      return git(folder, 'rev-parse', 'HEAD');
    },
    push: () => git(folder, 'push', '--quiet', remote('ada/app', root), '--all'),
  };
}
