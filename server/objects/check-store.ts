import type { ObjectsConfig } from '../config-objects.ts';
import type { Logger } from '../log.ts';
import type { S3Objects } from './s3.ts';

/**
 * Throws if the store refuses its configuration, such as a wrong key. A store that cannot be reached is
 * only logged: everything but uploads and artifacts works without it.
 */
export async function requireStore(
  s3: Pick<S3Objects, 'check'>,
  { bucket }: Pick<ObjectsConfig, 'bucket'>,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  try {
    await s3.check();
  } catch (error) {
    // the client of the store is loaded only with a store
    const { isRefusal } = await import('./s3-client.ts');
    if (isRefusal(error)) {
      const { name } = error as Error;
      throw new Error(
        `The bucket ${bucket} of MILLRACE_OBJECTS cannot be used (${name}). Create it, or correct the endpoint, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
        { cause: error },
      );
    }
    log.warn({ err: error, bucket }, 'the object store is not reachable');
  }
}
