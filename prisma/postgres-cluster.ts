import {
  chown,
  lchown,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { join } from 'node:path';
import { getuid } from 'node:process';
import type { Account } from './postgres-account.ts';
import { childOptions, ownFolder, run } from './postgres-program.ts';

/** Names of PostgreSQL's superuser and of the database. */
export const superuser = 'millrace';

/** The major version of the binaries, which determines the data format. */
const format = '18';

/** Ensures that `cluster`, a folder within `folder`, holds data that `account` can serve. */
export async function ensureCluster(
  folder: string,
  cluster: string,
  initdb: string,
  account: Account | null,
): Promise<void> {
  await clearUnfinished(folder);
  const stats = await stat(cluster).catch(() => null);
  if (!stats) return makeCluster(folder, cluster, initdb, account);
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (version !== format) {
    const isNewer = Number(version) > Number(format);
    const advice = isNewer
      ? 'it belongs to a newer Millrace, install that version'
      : 'move the data over with pg_dump and pg_restore';
    throw new Error(
      `${cluster} was made by PostgreSQL ${version} and this Millrace brings ${format}: ${advice}.`,
    );
  }
  if (account && stats.uid === 0) await giveTo(cluster, account);
  if (!account && stats.uid !== getuid?.()) {
    throw new Error(
      `${cluster} belongs to uid ${stats.uid}: start Millrace as that user or as root.`,
    );
  }
}

/** `initdb` runs in a temporary folder that is then renamed, so that a kill leaves nothing incomplete. */
async function makeCluster(
  folder: string,
  cluster: string,
  initdb: string,
  account: Account | null,
): Promise<void> {
  const fresh = await mkdtemp(join(folder, 'new-'));
  if (account) await chown(fresh, account.uid, account.gid);
  const options = childOptions(fresh, account);
  // trigrams of non-ASCII letters need this locale, which nearly every system has
  let outcome = await run(initdb, settings(fresh, 'C.UTF-8'), options);
  if (!outcome.isGood) outcome = await run(initdb, settings(fresh, 'C'), options);
  if (!outcome.isGood) {
    await rm(fresh, { recursive: true, force: true });
    throw new Error(`The database could not be made in ${folder}: ${outcome.complaint}`);
  }
  await rename(fresh, cluster);
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

const settings = (fresh: string, ctype: string) => [
  '--pgdata',
  ownFolder(fresh),
  '--username',
  superuser,
  '--auth=trust',
  '--encoding=UTF8',
  // the same collation on every machine, whatever its libraries
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  `--lc-ctype=${ctype}`,
  '--no-instructions',
];

async function clearUnfinished(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('new-'));
  for (const name of names) {
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Files of a backup that root restored belong to root. */
async function giveTo(cluster: string, { uid, gid }: Account): Promise<void> {
  for (const path of await readdir(cluster, { recursive: true })) {
    await lchown(join(cluster, path), uid, gid);
  }
  await chown(cluster, uid, gid);
}
