import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { readConfig } from '../../server/config.ts';
import { type S3Limits, type S3Objects, s3Objects } from '../../server/objects/s3.ts';
import { s3Client } from '../../server/objects/s3-client.ts';
import { freePort } from './free-port.ts';

const key = 'test:tester';
const secret = 'object-store-secret-0123456789';
const bucket = 'millrace-test';

export interface TestObjectStore {
  readonly port: number;
  /** The objects that such a server sees. */
  objects(prefix: string, limits?: Partial<S3Limits>): S3Objects;
  /** Kills all of it, as a power loss would. */
  kill(): Promise<void>;
  /** Starts it on the same port and folder after a kill. */
  startAgain(): Promise<TestObjectStore>;
}

/** A real S3-compatible store, OpenStack Swift, with one bucket. Its data are in `folder`. */
export async function startObjectStore(folder: string): Promise<TestObjectStore> {
  const store = await run(folder, await freePort());
  const config = configOf(store.port, 'none');
  const client = s3Client(config);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return store;
}

/** Variables of a server that uses the store on `port`, below a prefix of its own; `options` as in MILLRACE_OBJECTS. */
export const objectVariables = (
  port: number,
  prefix: string,
  options = '',
): Record<string, string> => ({
  MILLRACE_OBJECTS: `s3://${bucket}/${prefix}?endpoint=http://127.0.0.1:${port}${options}`,
  AWS_ACCESS_KEY_ID: key,
  AWS_SECRET_ACCESS_KEY: secret,
});

function configOf(port: number, prefix: string) {
  const { objects } = readConfig(objectVariables(port, prefix));
  if (!objects) throw new Error('the variables name no object store');
  return objects;
}

async function run(folder: string, port: number): Promise<TestObjectStore> {
  const child = spawn(
    '/usr/bin/python3',
    ['test/support/start-object-store.py', folder, String(port), key, secret],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exit = once(child, 'exit');
  const started = await Promise.race([once(child.stdout, 'data'), exit.then(() => null)]);
  if (!started) throw new Error('the object store did not start');
  return {
    port,
    objects: (prefix, limits) => {
      const config = configOf(port, prefix);
      return s3Objects(s3Client(config), config, limits);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exit;
    },
    startAgain: () => run(folder, port),
  };
}
