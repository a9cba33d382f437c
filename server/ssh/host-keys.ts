import { generateKeyPair } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { orMissing, syncPath } from '../disk/files.ts';

/** The files of the keys by which clients recognize the server, below the data folder. */
export const hostKeyNames = ['ssh/ssh_host_ed25519_key', 'ssh/ssh_host_rsa_key'] as const;

const rsaBits = 3072;
const generate = promisify(generateKeyPair);

/**
 * The private host keys, in the format that OpenSSH writes; made at the first start. Processes that start
 * together agree on one of each.
 */
export async function hostKeys(dataFolder: string): Promise<readonly string[]> {
  return Promise.all(hostKeyNames.map((name) => hostKey(join(dataFolder, name), name)));
}

async function hostKey(path: string, name: (typeof hostKeyNames)[number]): Promise<string> {
  const existing = await orMissing(readFile(path, 'utf8'));
  if (existing !== null) return existing;
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, await newKey(name), { mode: 0o600 });
  await syncPath(draft);
  try {
    await link(draft, path);
    await syncPath(join(path, '..'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  return readFile(path, 'utf8');
}

async function newKey(name: (typeof hostKeyNames)[number]): Promise<string> {
  if (name === 'ssh/ssh_host_rsa_key') {
    const { privateKey } = await generate('rsa', {
      modulusLength: rsaBits,
      publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    return privateKey;
  }
  return newEd25519Key();
}

/**
 * A key that can be read. Of 256 keys of the library one cannot: it removes the zeros at the start of the
 * public part. Node itself has no format for this type that OpenSSH reads.
 */
export async function newEd25519Key(): Promise<string> {
  const { default: ssh2 } = await import('ssh2');
  for (;;) {
    const key = ssh2.utils.generateKeyPairSync('ed25519').private;
    if (!(ssh2.utils.parseKey(key) instanceof Error)) return key;
  }
}
