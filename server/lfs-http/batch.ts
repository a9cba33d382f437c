import pLimit from 'p-limit';
import { z } from 'zod';
import type { Context } from '../../schema/kernel/context.ts';
import type { LfsCaller, LfsProject } from '../../schema/lfs/access.ts';
import {
  type LfsHeaders,
  repositoryUrl,
  transferHeaders,
} from '../../schema/lfs/authentication.ts';
import { adoptFromSource, findObjects } from '../../schema/lfs/objects.ts';
import { isOid } from '../../schema/lfs/oid.ts';
import type { LfsContent } from '../../schema/ports/lfs.ts';
import { LfsRefusal } from './responses.ts';

/** Objects of a request; git-lfs sends a hundred. */
const maxObjects = 1_000;

/** Download URLs that are made at once: the object store is asked for each object. */
const urlsAtOnce = 8;

/** Seconds for which the URLs of an object store are valid. */
const storeUrlLifetime = 600;

const megabyte = 2 ** 20;

export const batchBody = z.object({
  operation: z.enum(['download', 'upload']),
  transfers: z.array(z.string()).nullish(),
  hash_algo: z.string().nullish(),
  // a longer list is refused with a status of its own
  objects: z.array(z.object({ oid: z.string(), size: z.int().min(0) })),
});

export type BatchBody = z.output<typeof batchBody>;

type Parts = Pick<Context, 'db' | 'secrets' | 'settings' | 'baseUrl' | 'lfs'>;

interface Action extends Partial<LfsHeaders> {
  readonly href: string;
}

/** An object in the response: with actions, with an error, or with neither if nothing is to be done. */
interface BatchObject extends LfsContent {
  readonly authenticated?: true;
  readonly actions?: Readonly<Partial<Record<'download' | 'upload', Action>>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Throws if the request asks for something that this service does not have. */
export function requireServed({ transfers, objects }: BatchBody): void {
  if (objects.length > maxObjects) {
    throw new LfsRefusal(413, `A request may name ${maxObjects} objects at most`);
  }
  if (transfers && transfers.length > 0 && !transfers.includes('basic')) {
    throw new LfsRefusal(422, 'The only transfer is basic');
  }
}

/** The response to a request of the batch API, whose caller may do the operation. */
export async function answerBatch(
  body: BatchBody,
  { project, caller }: { readonly project: LfsProject; readonly caller: LfsCaller },
  parts: Parts,
): Promise<object> {
  const { operation, objects } = body;
  const hash_algo = 'sha256';
  const isKnownHash = (body.hash_algo ?? hash_algo) === hash_algo;
  const valid = isKnownHash ? objects.filter(({ oid }) => isOid(oid)) : [];
  const oids = valid.map(({ oid }) => oid);
  let sizes = await findObjects(project.id, oids, parts);
  if (operation === 'upload') {
    const unknown = oids.filter((oid) => !sizes.has(oid));
    await adoptFromSource(project, unknown, caller.viewer, parts);
    if (unknown.length > 0) sizes = await findObjects(project.id, oids, parts);
  }
  const headers = transferHeaders(caller, { projectId: project.id, operation }, parts);
  const place = `${repositoryUrl(project, parts)}/gitlab-lfs/objects`;
  const limit = pLimit(urlsAtOnce);

  const downloadOf = async (oid: string): Promise<Action> => {
    const href = await limit(() => parts.lfs.downloadUrl(oid));
    return href === null
      ? { href: `${place}/${oid}`, ...headers }
      : { href, expires_in: storeUrlLifetime };
  };
  const answer = async (object: LfsContent): Promise<BatchObject> => {
    const { oid, size } = object;
    const refused = (code: number, message: string) => ({ ...object, error: { code, message } });
    if (!isKnownHash) return refused(409, 'The only hash algorithm is sha256');
    if (!isOid(oid)) return refused(422, 'The id must be a SHA-256 in lower-case hex');
    const stored = sizes.get(oid);
    if (stored !== undefined && stored !== size) {
      return refused(422, `The object has ${stored} bytes`);
    }
    if (operation === 'download') {
      if (stored === undefined) return refused(404, 'The object does not exist');
      return { ...object, authenticated: true, actions: { download: await downloadOf(oid) } };
    }
    if (stored !== undefined) return object;
    const most = parts.settings.current.maxLfsObjectSize;
    if (size > most * megabyte) return refused(413, `An object may have ${most} megabytes`);
    const upload = { href: `${place}/${oid}/${size}`, ...headers };
    return { ...object, authenticated: true, actions: { upload } };
  };
  return { transfer: 'basic', objects: await Promise.all(objects.map(answer)), hash_algo };
}
