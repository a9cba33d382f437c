import type { ReleaseLink, Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { invalid, notFound, refuseFaults } from '../kernel/errors.ts';
import { isUniqueViolation, onRecordMissing, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { type LinkInput, linkFaults, mostLinks } from './faults.ts';
import { findLink, findWritableRelease, type ReleaseRef, releaseNotFound } from './find.ts';

type Columns = Pick<ReleaseLink, 'name' | 'url' | 'path' | 'type'>;

/** The fields of a link that another link of the release has. */
async function takenFields(
  tx: Pick<Transaction, 'releaseLink'>,
  releaseId: number,
  { name, url, path }: Partial<Columns>,
  id?: number,
) {
  const fields = Object.entries({ name, url, path }).filter(([, value]) => value != null);
  const others = await tx.releaseLink.findMany({
    where: { releaseId, OR: fields.map(([field, value]) => ({ [field]: value })) },
  });
  return fields
    .filter(([field, value]) =>
      others.some((other) => other.id !== id && other[field as 'name'] === value),
    )
    .map(([field]) => field);
}

const refuseTaken = (fields: readonly string[]) => {
  if (fields.length === 0) return;
  throw invalid(Object.fromEntries(fields.map((field) => [field, ['has already been taken']])));
};

/** Another request was faster; which field it took is not known. */
const onTaken = (error: unknown): never => {
  throw isUniqueViolation(error) ? invalid({ base: ['has already been taken'] }) : error;
};

/** Adds a link to a release; developers only. */
export async function createLink(
  ref: ReleaseRef,
  { path, type, ...input }: LinkInput,
  ctx: Context,
): Promise<ReleaseLink> {
  const { id: releaseId } = await findWritableRelease(ref, ctx);
  const columns = { ...input, path: path ?? null, type: type ?? ('other' as const) };
  refuseFaults(linkFaults(columns));
  return transact(ctx.db, async (tx) => {
    // concurrent requests are counted one after the other
    await tx.$queryRaw`SELECT id FROM releases WHERE id = ${releaseId} FOR NO KEY UPDATE`;
    refuseTaken(await takenFields(tx, releaseId, columns));
    if ((await tx.releaseLink.count({ where: { releaseId } })) >= mostLinks) {
      throw invalid({ links: [`are too many (maximum is ${mostLinks})`] });
    }
    return tx.releaseLink.create({ data: { releaseId, ...columns } });
  }).catch(onRecordMissing(releaseNotFound));
}

const linkNotFound = () => notFound('Link');

/** Changes a link of a release; omitted fields stay unchanged. Developers only. */
export async function updateLink(
  ref: ReleaseRef,
  id: number,
  change: Partial<Columns>,
  ctx: Context,
): Promise<ReleaseLink> {
  const release = await findWritableRelease(ref, ctx);
  await findLink(release, id, ctx);
  refuseFaults(linkFaults(change));
  refuseTaken(await takenFields(ctx.db, release.id, change, id));
  return ctx.db.releaseLink
    .update({ where: { id }, data: change })
    .catch(onTaken)
    .catch(onRecordMissing(linkNotFound));
}

/** Deletes a link of a release and returns it as it was; developers only. */
export async function deleteLink(ref: ReleaseRef, id: number, ctx: Context): Promise<ReleaseLink> {
  const link = await findLink(await findWritableRelease(ref, ctx), id, ctx);
  refuseModified(link, ctx);
  const { count } = await ctx.db.releaseLink.deleteMany({ where: { id } });
  if (count === 0) throw linkNotFound();
  return link;
}
