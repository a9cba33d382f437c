import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/*
 * Builds the image of packaging/Containerfile and uses it: `npm run test:container [base image]`. Without a
 * base image it makes one of Debian packages with debootstrap, which needs root. It needs podman, and
 * takes some three minutes: therefore it is not part of `npm test`.
 */

const call = promisify(execFile);
const run = async (program: string, ...args: string[]): Promise<string> => {
  const { stdout } = await call(program, args, { maxBuffer: 64 * 2 ** 20 });
  return stdout.trim();
};
const step = (text: string) => process.stdout.write(`${text}\n`);

const folder = await mkdtemp('/var/tmp/millrace-image-');
const [image, volume, container] = ['millrace-test', 'millrace-test', 'millrace-test'];
const token = 'root-token-of-the-image';

/** Debian with the Node that the project installs and with npm, as in the image of Node. */
async function debianWithNode(): Promise<string> {
  const root = join(folder, 'base');
  await run('debootstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', root);
  const { version } = JSON.parse(await readFile('node_modules/node/package.json', 'utf8'));
  step(`base: Debian with Node ${version}`);
  await copyFile('node_modules/node/bin/node', join(root, 'usr/bin/node'));
  // this program runs by npm, which names itself
  const npm = dirname(dirname(process.env.npm_execpath ?? ''));
  await mkdir(join(root, 'usr/lib/node_modules'), { recursive: true });
  await cp(npm, join(root, 'usr/lib/node_modules/npm'), { recursive: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
  // where this machine gets packages from
  await cp('/etc/apt', join(root, 'etc/apt'), { recursive: true, force: true });
  await cp('/etc/ssl/certs', join(root, 'etc/ssl/certs'), { recursive: true, force: true });
  const registry = await run('npm', 'config', 'get', 'registry');
  await writeFile(
    join(root, 'root/.npmrc'),
    `registry=${registry}\ncafile=/etc/ssl/certs/ca-certificates.crt\n`,
  );
  const packed = spawn('tar', ['--create', '--directory', root, '.']);
  const imported = spawn('podman', ['import', '--quiet', '-', 'millrace-test-base']);
  imported.stdout.resume();
  imported.stderr.pipe(process.stderr);
  await Promise.all([pipeline(packed.stdout, imported.stdin), once(imported, 'close')]);
  return 'localhost/millrace-test-base';
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

const hardened = [
  ...['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'all', '--network', 'host'],
  ...['--security-opt', 'no-new-privileges', '--volume', `${volume}:/data`],
];

async function useImage(): Promise<void> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const variables = { PORT: String(port), MILLRACE_ROOT_TOKEN: token };
  const settings = Object.entries(variables).flatMap(([name, value]) => [
    '--env',
    `${name}=${value}`,
  ]);
  await run('podman', 'run', '--detach', '--name', container, ...hardened, ...settings, image);
  const api = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { 'Private-Token': token } });
  let isReady = false;
  for (let attempt = 0; !isReady && attempt < 300; attempt += 1) {
    isReady = await api('/-/readiness').then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isReady) await pause(200);
  }
  assert(isReady, 'the container is not ready');
  step('ready');

  const body = new URLSearchParams({ name: 'app' });
  const created = await api('/api/v4/projects', { method: 'POST', body });
  assert.equal(created.status, 201);
  const remote = `${url.replace('://', `://root:${token}@`)}/root/app.git`;
  await run('git', 'push', '--quiet', remote, 'HEAD:refs/heads/master');
  const branch = await api('/api/v4/projects/root%2Fapp/repository/branches/master');
  assert.equal(branch.status, 200);
  step('push');

  const pid = await run('podman', 'inspect', '--format', '{{.State.Pid}}', container);
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  assert.match(status, /^CapEff:\t0+$/m);
  assert.match(status, /^NoNewPrivs:\t1$/m);
  assert.doesNotMatch(status, /^Uid:\t0\t/m);
  const mounts = await readFile(`/proc/${pid}/mounts`, 'utf8');
  assert.match(mounts, /^\S+ \/ \S+ ro[, ]/m);
  step('no capability, no root, a root file system that is read-only');

  await run('podman', 'stop', '--time', '30', container);
  const code = await run('podman', 'inspect', '--format', '{{.State.ExitCode}}', container);
  assert.equal(code, '0');
  const checked = await run('podman', 'run', '--rm', ...hardened, image, 'millrace', 'doctor');
  assert.doesNotMatch(checked, /^(?:error|warning)/m);
  step('stopped with exit code 0, and doctor finds nothing');
}

try {
  const [given] = process.argv.slice(2);
  const base = given ?? (await debianWithNode());
  await run('npm', 'run', 'package');
  step('package');
  const options = ['--file', 'packaging/Containerfile', '--tag', image, '--network', 'host'];
  await run('podman', 'build', ...options, '--build-arg', `BASE=${base}`, 'build');
  step('image');
  await useImage();
} finally {
  await run('podman', 'rm', '--force', '--volumes', container).catch(() => {});
  await run('podman', 'volume', 'rm', '--force', volume).catch(() => {});
  await rm(folder, { recursive: true, force: true });
}
