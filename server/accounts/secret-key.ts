import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../prisma/client.ts';
import { orMissing } from '../disk/files.ts';
import { type SealingKey, secretsOf } from './secrets.ts';

const keyBytes = 32;

/**
 * The key in `<data>/secret.key`, created at the first start (mode 600). Throws if the database was
 * sealed with another key, or the key is missing: tokens could not be verified without it. Only a server
 * creates the key: a command, which has `isFirstStart: false`, throws.
 */
export async function unlockSecrets(
  dataFolder: string,
  db: Database,
  { isFirstStart = true } = {},
): Promise<SealingKey> {
  const path = join(dataFolder, 'secret.key');
  const recorded = await db.secretKey.findMany();
  const existing = await readKey(path);
  if (!existing && recorded.length > 0) {
    throw new Error(`${path} is missing, but the database was sealed with it: put it back`);
  }
  if (!existing && !isFirstStart) throw new Error(`${path} is missing: start the server first`);
  const secrets = secretsOf(existing ?? (await makeKey(path, dataFolder)));
  const { keyId: id, checkValue } = secrets;
  if (
    recorded.length > 0 &&
    !recorded.some((key) => key.id === id && key.checkValue === checkValue)
  ) {
    throw new Error(`${path} is not the key that this database was sealed with`);
  }
  if (recorded.length === 0) {
    await db.secretKey.createMany({ data: [{ id, checkValue }], skipDuplicates: true });
  }
  return secrets;
}

async function readKey(path: string): Promise<Buffer | null> {
  const text = await orMissing(readFile(path, 'utf8'));
  if (text === null) return null;
  const key = Buffer.from(text.trim(), 'hex');
  if (key.length !== keyBytes) throw new Error(`${path} does not hold ${keyBytes} bytes in hex`);
  return key;
}

/** Writes to another name and links it into place: of two concurrent first starts, one key wins. */
async function makeKey(path: string, dataFolder: string): Promise<Buffer> {
  await mkdir(dataFolder, { recursive: true });
  const draft = `${path}.${process.pid}`;
  const text = `${randomBytes(keyBytes).toString('hex')}\n`;
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readKey(path);
  if (!key) throw new Error(`${path} could not be created`);
  return key;
}
