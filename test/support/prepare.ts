import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { documentFile } from '../../server/openapi/location.ts';

/** Programs that the suites need and npm does not provide, with their Debian packages. */
const programs = [
  { program: 'git', debianPackage: 'git' },
  { program: 'git-lfs', debianPackage: 'git-lfs' },
  { program: 'curl', debianPackage: 'curl' },
  { program: 'ssh', debianPackage: 'openssh-client' },
  { program: 'chromium-headless-shell', debianPackage: 'chromium-headless-shell' },
  { program: 'slapd', debianPackage: 'slapd' },
  { program: 'caddy', debianPackage: 'caddy' },
  { program: 'promtool', debianPackage: 'prometheus' },
  { program: 'systemd-analyze', debianPackage: 'systemd' },
  { program: 'php', debianPackage: 'php-cli' },
] as const;

/** Libraries of other languages, each with a command that fails without it. */
const libraries = [
  {
    program: 'php',
    args: ['-r', 'exit(extension_loaded("soap") ? 0 : 1);'],
    debianPackage: 'php-soap',
  },
  { program: '/usr/bin/python3', args: ['-c', 'import zeep'], debianPackage: 'python3-zeep' },
  { program: '/usr/bin/python3', args: ['-c', 'import swift'], debianPackage: 'python3-swift' },
  { program: 'perl', args: ['-MOpenAPI::Client', '-e1'], debianPackage: 'libopenapi-client-perl' },
] as const;

/** Those of a suite that is not part of `npm test`, as arguments `<program>=<Debian package>`. */
const further = process.argv.slice(2).map((argument) => {
  const [program = '', debianPackage = ''] = argument.split('=');
  return { program, debianPackage };
});

const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined;
const works = (program: string, args: readonly string[]) => spawnSync(program, args).status === 0;

const packages = [
  ...[...programs, ...further].filter(({ program }) => !isThere(program)),
  ...libraries.filter(({ program, args }) => !works(program, args)),
].map(({ debianPackage }) => debianPackage);

if (packages.length > 0) {
  if (process.getuid?.() !== 0) {
    process.stderr.write(`The tests need: apt-get install -y ${packages.join(' ')}\n`);
    process.exit(1);
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const { status } = spawnSync('apt-get', args, { stdio: 'inherit', env });
    if (status !== 0) process.exit(status ?? 1);
  }
}

/** Clients that are programs of their own, each with its own packages. */
for (const folder of ['test/clients/openapi-fetch']) {
  if (existsSync(`${folder}/node_modules`)) continue;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** What `npm run generate` reads. */
const sources = ['prisma', 'schema', 'rest-facade', 'server/openapi', 'package-lock.json'];

function* filesIn(path: string): Generator<string> {
  if (!statSync(path).isDirectory()) return yield path;
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) yield join(entry.parentPath, entry.name);
  }
}

/** `npm ci` generates everything, so that a clean clone would wait for it twice. */
const generatedAt = statSync(documentFile('yaml'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isStale = sources
  .flatMap((source) => [...filesIn(source)])
  .some((file) => statSync(file).mtimeMs > generatedAt);
if (isStale) {
  const { status } = spawnSync('npm', ['run', 'generate'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
