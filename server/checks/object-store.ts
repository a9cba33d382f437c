import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check, Finding, ServiceParts } from './check.ts';

/** Stores, reads and removes a small object, as servers do. */
async function* storeFindings({ config, places: { s3 } }: ServiceParts): AsyncGenerator<Finding> {
  if (!s3) return;
  const key = `doctor/${randomUUID()}`;
  const file = join(config.dataFolder, key.replace('/', '-'));
  try {
    await s3.check();
    await writeFile(file, 'doctor', { mode: 0o600 });
    await s3.put(key, file);
    const size = await s3.size(key);
    await s3.remove(key);
    if (size !== 'doctor'.length) throw new Error('it lost an object');
  } catch (error) {
    yield {
      level: 'error',
      problem: `the object store does not work: ${(error as Error).message}`,
      advice: 'Compare MILLRACE_OBJECTS and the key of AWS with the bucket and its policy.',
    };
  } finally {
    await rm(file, { force: true });
  }
}

/** Tries the object store, if one is configured. */
export const objectStoreChecks = (parts: ServiceParts): readonly Check[] => [
  { name: 'object store', run: () => storeFindings(parts) },
];
