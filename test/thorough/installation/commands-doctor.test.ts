import { chmod, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandsOf } from '../../support/commands.ts';
import { cloneDatabase } from '../../support/database.ts';
import { world } from '../../support/world.ts';

const { as, seed, root, db, databaseUrl, dataFolder } = await world();
const { run, json } = commandsOf({ DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder });
const { id } = await seed.project('root/app', {});
await seed.push('root/app', { '.gitlab-ci.yml': 'unit: { script: test }', 'a.txt': 'a' });

interface Row {
  readonly check: string;
  readonly result: string;
  readonly problem: string | null;
}

/** The exit code of `doctor`, and its findings as `check: result: problem`. */
async function diagnose(...options: readonly string[]) {
  const { code, stdout } = await run(['doctor', '--json', ...options]);
  const rows = JSON.parse(stdout) as readonly Row[];
  const findings = rows.filter(({ result }) => result !== 'ok');
  return { code, findings: findings.map((row) => `${row.check}: ${row.result}: ${row.problem}`) };
}

const { folder } = (await json(['project', 'show', 'root/app'])) as { readonly folder: string };

describe('millrace doctor', () => {
  test('exits with 0 if everything is as it should be, and prints each check', async () => {
    const { code, stdout } = await run(['doctor', '--fsck']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok +git$/m);
    expect(stdout).toMatch(/^ok +objects$/m);
  });

  test('finds projects without a repository, and tells what to do', async () => {
    await rename(folder, `${folder}.away`);
    expect(await diagnose()).toEqual({
      code: 1,
      findings: ['repositories: error: projects without their repository, 1: root/app'],
    });
    const { stdout, stderr } = await run(['doctor']);
    expect(stdout).toMatch(
      /^error +repositories: .*\n +→ Put the repositories back from a backup/m,
    );
    expect(stderr).toMatch(/^1 of \d+ results are errors\.\n$/);
    await rename(`${folder}.away`, folder);
  });

  test('warns of repositories without a project that no creation can still use', async () => {
    const name = '0123456789abcdef0123456789abcdef.git';
    const unknown = join(dataFolder, 'repositories', '01', '23', name);
    await mkdir(unknown, { recursive: true });
    expect(await diagnose()).toEqual({ code: 0, findings: [] });
    const yesterday = new Date(Date.now() - 86_400_000);
    await utimes(unknown, yesterday, yesterday);
    const problem = `repositories without a project, 1: ${unknown}`;
    expect(await diagnose()).toEqual({
      code: 0,
      findings: [`unknown repositories: warning: ${problem}`],
    });
    await rm(unknown, { recursive: true });
  });

  test('with --fsck finds missing objects, as project check does', async () => {
    const objects = join(folder, 'objects');
    const loose = (await readdir(objects)).filter((entry) => /^[0-9a-f]{2}$/.test(entry));
    const packs = loose.length === 0;
    const lost = packs ? join(objects, 'pack') : join(objects, loose[0] ?? '');
    await rename(lost, `${objects}-away`);
    const { code, findings } = await diagnose('--fsck');
    expect(code).toBe(1);
    expect(findings).toEqual([expect.stringMatching(/^objects: error: damaged.*root\/app/)]);
    expect((await run(['project', 'check', 'root/app'])).code).toBe(1);
    await rename(`${objects}-away`, lost);
    expect(await json(['project', 'check', String(id)])).toMatchObject({ result: 'ok' });
  });

  test('finds sealed values that do not open', async () => {
    const { runnersTokenSealed: sealed } = await db.project.findUniqueOrThrow({ where: { id } });
    await db.project.update({ where: { id }, data: { runnersTokenSealed: 'deadbeef:AAAA' } });
    const { code, findings } = await diagnose();
    expect(code).toBe(1);
    expect(findings).toEqual([
      'secrets: error: sealed values of projects.runners_token_sealed that do not open, 1: deadbeef:AAAA',
    ]);
    await db.project.update({ where: { id }, data: { runnersTokenSealed: sealed } });
  });

  test('finds a key that is lost, and one that others can read', async () => {
    const key = join(dataFolder, 'secret.key');
    await chmod(key, 0o644);
    expect(await diagnose()).toEqual({
      code: 1,
      findings: [`folders: error: ${key} can be read by other accounts`],
    });
    await chmod(key, 0o600);
    await rename(key, `${key}.away`);
    const { code, findings } = await diagnose();
    expect([code, findings]).toEqual([1, [expect.stringContaining('secret.key is missing')]]);
    await rename(`${key}.away`, key);
  });

  test('finds jobs without their artifacts', async () => {
    await expect.poll(() => db.job.count()).toBe(1);
    await db.job.updateMany({ data: { artifactsFile: 'artifacts.zip', artifactsSize: 3 } });
    const job = await db.job.findFirstOrThrow();
    expect(await diagnose()).toEqual({
      code: 1,
      findings: [`artifacts: error: jobs without their artifacts, 1: ${job.id}`],
    });
    await db.job.updateMany({ data: { artifactsFile: null, artifactsSize: null } });
  });

  test('finds uploads that are missing', async () => {
    const form = new FormData();
    form.set('file', new File(['a picture'], 'picture.png'));
    await as(root).fetch(`/projects/${id}/uploads`, { method: 'POST', body: form });
    const { secret } = await db.upload.findFirstOrThrow();
    expect(await diagnose()).toEqual({ code: 0, findings: [] });
    const path = join(dataFolder, 'uploads', 'projects', String(id), secret);
    await rename(path, `${path}-away`);
    expect(await diagnose()).toEqual({
      code: 1,
      findings: [`uploads: error: uploads that are missing, 1: ${path}`],
    });
    await rename(`${path}-away`, path);
  });

  test('warns of files of yesterday that no record names', async () => {
    const unknown = [
      join(dataFolder, 'artifacts', String(id), '0', '999.zip'),
      join(dataFolder, 'traces', String(id), '0', '999.log'),
      join(dataFolder, 'uploads', 'projects', String(id), 'unknown'),
      join(dataFolder, 'uploads', 'users', String(root.id), 'unknown'),
    ];
    for (const path of unknown) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, '');
    }
    expect(await diagnose()).toEqual({ code: 0, findings: [] });
    const yesterday = new Date(Date.now() - 86_400_000);
    for (const path of unknown) await utimes(path, yesterday, yesterday);
    const { code, findings } = await diagnose();
    expect(code).toBe(0);
    for (const path of unknown) expect(findings.join('\n')).toContain(path);
    expect(findings).toHaveLength(unknown.length);
    for (const path of unknown) await rm(path);
  });

  test('--fix repairs what loses nothing, and tells it', async () => {
    const key = join(dataFolder, 'secret.key');
    await chmod(key, 0o644);
    const { code, stdout } = await run(['doctor', '--fix']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^fixed +folders: .*secret\.key/m)]);
    expect((await stat(key)).mode & 0o777).toBe(0o600);
    const empty = await cloneDatabase(databaseUrl, 'template0');
    const commands = commandsOf({ DATABASE_URL: empty.url, MILLRACE_DATA: dataFolder });
    expect((await commands.run(['doctor', '--fix'])).stdout).toMatch(/^fixed +migrations/m);
    expect(await commands.json(['migrate', 'status'])).toEqual({ pending: [] });
    await empty.drop();
  });

  test('looks at the data only if the database is neither older nor newer', async () => {
    await db.$executeRaw`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
      VALUES ('later', '', '29991231000000_later', now())`;
    expect(await diagnose()).toEqual({
      code: 1,
      findings: [expect.stringContaining('newer version: 29991231000000_later')],
    });
    await db.$executeRaw`DELETE FROM _prisma_migrations WHERE id = 'later'`;
    const empty = await cloneDatabase(databaseUrl, 'template0');
    const commands = commandsOf({ DATABASE_URL: empty.url, MILLRACE_DATA: dataFolder });
    const { code, stdout } = await commands.run(['doctor']);
    expect([code, stdout]).toEqual([1, expect.stringContaining('migrations are pending')]);
    expect(stdout).not.toContain('repositories');
    await empty.drop();
  });
});

describe('millrace project', () => {
  test('lists and shows projects', async () => {
    const rows = await json(['project', 'list', '--search', 'APP']);
    expect(rows).toEqual([expect.objectContaining({ id, path: 'root/app' })]);
    expect(await json(['project', 'show', 'ROOT/App'])).toMatchObject({ id, storage: 'default' });
    const { code, stderr } = await run(['project', 'show', `${root.username}/none`]);
    expect([code, stderr]).toEqual([1, 'There is no project root/none.\n']);
  });

  test('housekeeping packs a repository once an hour', async () => {
    expect(await json(['project', 'housekeeping', 'root/app'])).toMatchObject({ state: 'queued' });
    const again = await run(['project', 'housekeeping', 'root/app']);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('within the last hour'),
    ]);
  });
});
