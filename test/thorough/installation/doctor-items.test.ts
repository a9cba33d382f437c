import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tallyOf } from '../../../server/checks/tally.ts';
import { commandsOf } from '../../support/commands.ts';
import { git } from '../../support/git.ts';
import { shiftedClock } from '../../support/shifted-clock.ts';
import { world } from '../../support/world.ts';

const { as, seed, root, db, databaseUrl, dataFolder } = await world();
const { run } = commandsOf({ DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder });

interface Item {
  readonly name: string;
  readonly problem: string | null;
}

interface Row {
  readonly check: string;
  readonly result: string;
  readonly problem: string | null;
  readonly items: readonly Item[];
}

/** The findings of `doctor --json`: check, names and problems of its items. */
async function findings(...options: readonly string[]) {
  const { code, stdout } = await run(['doctor', '--json', ...options]);
  const rows = JSON.parse(stdout) as readonly Row[];
  return { code, rows: rows.filter(({ result }) => result !== 'ok') };
}

const textOf = ({ name, problem }: Item) => `${name}: ${problem}`;

async function projectOf(name: string) {
  const { id } = await seed.project(`root/${name}`, {});
  await seed.push(`root/${name}`, { 'a.txt': name });
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  const folder = join(dataFolder, 'repositories', `${diskPath}.git`);
  await git(folder, 'pack-refs', '--all');
  return { id, folder };
}

/** Damage of one file of a repository, and what doctor says of it. */
const damages: Readonly<Record<string, [string, (folder: string) => Promise<unknown>]>> = {
  'empty-head': ['HEAD is empty', (folder) => writeFile(join(folder, 'HEAD'), '')],
  'nul-head': [
    'HEAD names no branch',
    (folder) => writeFile(join(folder, 'HEAD'), '\0'.repeat(23)),
  ],
  'no-head': ['HEAD is missing', (folder) => rm(join(folder, 'HEAD'))],
  'broken-config': [
    'config cannot be read',
    (folder) => writeFile(join(folder, 'config'), '[core\n'),
  ],
  'newer-config': [
    'config cannot be read',
    (folder) => git(folder, 'config', '--file', 'config', 'core.repositoryformatversion', '9'),
  ],
  'no-refs': ['refs is missing', (folder) => rm(join(folder, 'refs'), { recursive: true })],
  'no-objects': [
    'objects is missing',
    (folder) => rm(join(folder, 'objects'), { recursive: true }),
  ],
  'no-packed-refs': ['no reference is left', (folder) => rm(join(folder, 'packed-refs'))],
  'broken-packed-refs': [
    'packed-refs is damaged',
    (folder) => writeFile(join(folder, 'packed-refs'), 'half a line'),
  ],
  'nul-ref': [
    'refs/heads/master is damaged',
    async (folder) => {
      await mkdir(join(folder, 'refs/heads'), { recursive: true });
      await writeFile(join(folder, 'refs/heads/master'), '\0'.repeat(41));
    },
  ],
};

describe('millrace doctor', () => {
  test('with --fsck follows the objects of wikis, as project check does', async () => {
    const { id, folder } = await projectOf('documented');
    await as(root).post(`/projects/${id}/wikis`, { title: 'home', content: 'welcome' });
    const objects = folder.replace(/\.git$/, '.wiki.git/objects');
    expect((await findings('--fsck')).rows).toEqual([]);
    await rename(objects, `${objects}.away`);
    await mkdir(join(objects, 'info'), { recursive: true });
    const { code, rows } = await findings('--fsck');
    expect([code, rows.map(({ check }) => check)]).toEqual([1, ['objects']]);
    expect(rows[0]?.items.map(({ name }) => name)).toEqual(['root/documented.wiki']);
    const checked = await run(['project', 'check', 'root/documented']);
    expect([checked.code, checked.stderr]).toEqual([
      1,
      expect.stringContaining('root/documented.wiki: '),
    ]);
    await rm(objects, { recursive: true });
    await rename(`${objects}.away`, objects);
    expect((await run(['project', 'check', 'root/documented'])).code).toBe(0);
  });

  test('names the clock that is wrong, and by how much', async () => {
    const late = commandsOf({
      ...shiftedClock(-2 * 3_600_000),
      DATABASE_URL: databaseUrl,
      MILLRACE_DATA: dataFolder,
    });
    const { code, stdout } = await late.run(['doctor', '--json']);
    const rows = (JSON.parse(stdout) as readonly Row[]).filter(({ result }) => result !== 'ok');
    expect([code, rows.map(({ check }) => check)]).toEqual([
      1,
      ['file times', 'file times', 'clock'],
    ]);
    for (const { problem } of rows)
      expect(problem).toMatch(/^The clock of this machine is 2 h behind that of the (?:file|data)/);
  });

  test('names every damaged repository in JSON and with --all, and says how many there are', async () => {
    for (const [name, [, damage]] of Object.entries(damages)) {
      const { folder } = await projectOf(name);
      await damage(folder);
    }
    const { code, rows } = await findings();
    expect([code, [...new Set(rows.map(({ check }) => check))]]).toEqual([1, ['repository files']]);
    const expected = Object.entries(damages).map(([name, [fault]]) => `root/${name}: ${fault}`);
    expect(rows.flatMap(({ items }) => items.map(textOf)).sort()).toEqual(expected.sort());

    const short = await run(['doctor']);
    const listed = /repositories with damaged files, 7: (.*) and 2 more: doctor --all$/m;
    const [, names = ''] = listed.exec(short.stdout) ?? [];
    expect(names.split(', ')).toHaveLength(5);
    const all = await run(['doctor', '--all']);
    expect([short.code, all.code]).toEqual([1, 1]);
    for (const [name, [fault]] of Object.entries(damages))
      expect(all.stdout).toContain(` - root/${name} (${fault})\n`);
  });

  test('--fix writes an empty or missing HEAD', async () => {
    const fixed = await run(['doctor', '--fix']);
    expect(fixed.stdout).toMatch(/^fixed +repository files: repositories that name no default/m);
    const left = (await findings()).rows.flatMap(({ items }) => items.map(({ name }) => name));
    expect(left).not.toContain(expect.stringMatching(/head/));
    expect(left).toHaveLength(7);
    const folders = await db.project.findMany({ where: { fullPath: { endsWith: '-head' } } });
    for (const { diskPath } of folders) {
      const files = await readdir(join(dataFolder, 'repositories', `${diskPath}.git`));
      expect(files).toContain('HEAD');
    }
  });

  test('ends quietly when the program that reads its output has ended', async () => {
    const { child, result } = commandsOf({
      DATABASE_URL: databaseUrl,
      MILLRACE_DATA: dataFolder,
    }).start(['doctor', '--all']);
    child.stdout.destroy();
    expect(await result).toMatchObject({ code: 1, stderr: expect.not.stringContaining('EPIPE') });
  });
});

test('a tally keeps any number of items, in order and in little memory', () => {
  const tally = tallyOf({ keepsAll: true, hasExamples: true })();
  const names = Array.from({ length: 4_321 }, (_, index) => `gruppe/projekt-ü-${index}`);
  for (const name of names) tally.add(name, 'HEAD\nis empty');
  expect(tally.count).toBe(names.length);
  expect([...tally.items()]).toEqual(names.map((name) => ({ name, problem: 'HEAD\nis empty' })));
  const few = tallyOf({ keepsAll: false, hasExamples: true })();
  for (const name of names) few.add(name);
  expect([...few.items()]).toHaveLength(5);
  expect(few.text).toMatch(/ and 4316 more: doctor --all$/);
});
