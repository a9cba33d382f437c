import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '../support/git.ts';
import { gitWith, type SshKeyPair, sshKeyPair } from '../support/ssh.ts';
import { branchesToPush, pushesInRun, sameBranch, servedCopies } from './git-cases.ts';
import type { WorkCase } from './measure.ts';
import { bigRepository, cachedRepository, largePush } from './repository.ts';
import { startSshd } from './sshd.ts';
import type { World } from './world.ts';

export const sshCaseNames = ['ssh-refs', 'ssh-clone', 'ssh-push-small', 'ssh-push-100-MB'] as const;

interface SshCases {
  readonly work: readonly WorkCase[];
  readonly close: () => Promise<void>;
}

/** The slowest that a case may be, in times of OpenSSH's server. */
const goal = { kind: 'most', value: 1.15 } as const;

const refsInRun = 5;

/** Connect, clone and push beside OpenSSH's server with git-shell, on the same repositories or copies. */
export async function sshCases(world: World, runs: number): Promise<SshCases> {
  const { service, users, big, folder } = world;
  const scratch = await mkdtemp(
    join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'millrace-bench-'),
  );
  const key = await sshKeyPair(scratch);
  await addKey(service.url, users.member.token, key);
  const { served, copy } = await servedCopies(folder, big.folder, 'served-by-ssh');
  const sshd = await startSshd(join(folder, 'sshd'), served, key);
  const urls = [`ssh://git@127.0.0.1:${service.sshPort}`, sshd.url] as const;
  const run = async (at: string, ...args: readonly string[]) => {
    const { code, stderr } = await gitWith(key, at, ...args);
    if (code !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
  };

  const target = join(scratch, 'clone.git');
  const source = join(scratch, 'source.git');
  const original = await cachedRepository(bigRepository);
  await git(scratch, 'clone', '--quiet', '--bare', '--shared', original, source);
  const branches = await branchesToPush(source, runs * pushesInRun);
  const branchOf = (number: number, part: number) => branches[number * pushesInRun + part] ?? '';
  const large = await cachedRepository(largePush);
  const folders: string[] = [];
  for (let number = 0; number < runs; number += 1) {
    folders.push((await world.project(`large-by-ssh-${number}`)).folder);
    await git(served, 'init', '--quiet', '--bare', `bench/large-by-ssh-${number}.git`);
  }

  const refs = (url: string) => () => run(scratch, 'ls-remote', '--quiet', `${url}/bench/big.git`);
  const clone = (url: string) => () =>
    run(scratch, 'clone', '--quiet', '--bare', `${url}/bench/big.git`, target);
  const push = (remote: string) => (number: number, part: number) =>
    run(source, 'push', '--quiet', remote, branchOf(number, part));
  const firstPush = (url: string) => (number: number) =>
    run(large, 'push', '--quiet', `${url}/bench/large-by-ssh-${number}.git`, 'master');
  const [ours, twin] = urls;
  return {
    work: [
      {
        name: 'ssh-refs',
        unit: 'ms',
        parts: refsInRun,
        goal,
        ours: refs(ours),
        twin: refs(twin),
        after: async () => {},
      },
      {
        name: 'ssh-clone',
        unit: 's',
        goal,
        ours: clone(ours),
        twin: clone(twin),
        after: async () => {
          await sameBranch(original, target, 'master');
          await rm(target, { recursive: true });
        },
      },
      {
        name: 'ssh-push-small',
        unit: 'ms',
        parts: pushesInRun,
        goal,
        ours: push(`${ours}/bench/big.git`),
        twin: push(`${twin}/bench/copy.git`),
        after: (number, side) =>
          sameBranch(source, side === 'ours' ? big.folder : copy, branchOf(number, 0)),
      },
      {
        name: 'ssh-push-100-MB',
        unit: 's',
        goal,
        ours: firstPush(ours),
        twin: firstPush(twin),
        after: async (number, side) => {
          const twinRepository = join(served, `bench/large-by-ssh-${number}.git`);
          const pushed = side === 'ours' ? (folders[number] ?? '') : twinRepository;
          await sameBranch(large, pushed, 'master');
          if (side === 'twin') await rm(twinRepository, { recursive: true });
        },
      },
    ],
    close: async () => {
      await sshd.stop();
      await rm(scratch, { recursive: true });
    },
  };
}

async function addKey(url: string, token: string, { publicKey }: SshKeyPair): Promise<void> {
  const response = await fetch(`${url}/api/v4/user/keys`, {
    method: 'POST',
    headers: { 'Private-Token': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'bench', key: publicKey }),
  });
  if (response.status !== 201) throw new Error(`the key was refused: ${await response.text()}`);
}
