import { spawnSync } from 'node:child_process';

/** What the suites run that npm cannot bring, and the Debian package that has it. */
const programs = [
  { program: 'git', debianPackage: 'git' },
  { program: 'curl', debianPackage: 'curl' },
  { program: 'chromium-headless-shell', debianPackage: 'chromium-headless-shell' },
  { program: 'slapd', debianPackage: 'slapd' },
] as const;

const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined;

const packages = programs
  .filter(({ program }) => !isThere(program))
  .map(({ debianPackage }) => debianPackage);

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
