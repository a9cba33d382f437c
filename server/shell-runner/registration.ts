import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Context, noRequest } from '../../schema/kernel/context.ts';
import { registerRunner } from '../../schema/runners/register.ts';
import { ensureRunnersToken } from '../../schema/runners/registration-token.ts';

type Parts = Pick<Context, 'db' | 'secrets' | 'signInLimits'>;

/**
 * The config file of the runner beside the server. Registers it as a shared runner if it is not
 * registered yet, or was removed. Two servers on one data folder use the same runner.
 */
export async function ensureRegistered(folder: string, parts: Parts): Promise<string> {
  const path = join(folder, 'config.json');
  const written = await readFile(path, 'utf8').catch(() => null);
  if (written !== null && (await isKnown(written, parts))) return path;
  const traits = { description: `shell runner of ${hostname()}`, tags: ['shell'] };
  const by = await ensureRunnersToken(parts);
  const registered = await registerRunner(by, traits, {}, { ...parts, request: noRequest });
  const temporary = `${path}.${registered.id}`;
  // the URLs are passed at each start
  const config = {
    url: 'http://localhost',
    token: registered.token,
    description: traits.description,
  };
  await writeFile(temporary, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600, flush: true });
  if (written !== null) {
    await rename(temporary, path);
    return path;
  }
  const isOurs = await link(temporary, path).then(
    () => true,
    () => false,
  );
  if (!isOurs) await parts.db.runner.deleteMany({ where: { id: registered.id } });
  await rm(temporary, { force: true });
  return path;
}

async function isKnown(written: string, { db, secrets }: Parts): Promise<boolean> {
  try {
    const { token } = JSON.parse(written) as { readonly token?: unknown };
    if (typeof token !== 'string') return false;
    return (await db.runner.count({ where: { tokenDigest: secrets.digest(token) } })) > 0;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
