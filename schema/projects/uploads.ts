import { randomBytes } from 'node:crypto';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { baseNameOf, isNamedAsPicture, plainFileName } from '../kernel/file-name.ts';
import { routeKey } from '../kernel/names.ts';
import type { ReceivedFile } from '../kernel/received-file.ts';
import { transact } from '../kernel/storage-errors.ts';
import { findProject, isProjectVisible, levelSelection } from './find.ts';
import { canUpload } from './policy.ts';

/** A stored file as Markdown texts refer to it. */
export interface Attachment {
  readonly alt: string;
  /** Relative to the project's URL. */
  readonly path: string;
  readonly project: { readonly fullPath: string };
  readonly markdown: string;
}

/**
 * Stores a file for the texts of a project (v4-behaviour 2.5). Throws `forbidden` if the viewer can
 * see the project but not comment. The file is stored before its row; the next start cleans up
 * after a crash in between.
 */
export async function createUpload(
  ref: string,
  file: ReceivedFile,
  ctx: Context,
): Promise<Attachment> {
  const { db, uploads, viewer } = ctx;
  const project = await findProject(ref, ctx, canUpload);
  const { id } = project;
  const secret = randomBytes(16).toString('hex');
  const fileName = plainFileName(file.name);
  const isPicture = isNamedAsPicture(fileName) || isShownInline(await uploads.mediaType(file));
  const row = { projectId: id, userId: viewer?.id ?? null, secret, fileName, size: file.size };
  await uploads.keep({ kind: 'project', id }, secret, file, () =>
    transact(db, async (tx) => {
      // a concurrent removal is either visible here, or runs later and finds the file
      const [project] = await tx.$queryRaw<unknown[]>`
        SELECT id FROM projects WHERE id = ${id} AND NOT is_removed FOR SHARE`;
      if (!project) throw notFound('Project');
      await tx.upload.create({ data: row, select: { id: true } });
    }),
  );
  const alt = isPicture ? baseNameOf(fileName) : fileName;
  const path = `/uploads/${secret}/${fileName}`;
  return { alt, path, project, markdown: `${isPicture ? '!' : ''}[${alt}](${path})` };
}

/** Image types that browsers show and that cannot contain scripts; SVG is excluded. */
const inline: ReadonlySet<string | null> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

export const isShownInline = (mediaType: string | null): boolean => inline.has(mediaType);

/** The location of a project's upload, if the viewer may see the project and the name matches. */
export async function findUpload(
  { fullPath, secret, fileName }: Readonly<Record<'fullPath' | 'secret' | 'fileName', string>>,
  { db, viewer }: Pick<Context, 'db' | 'viewer'>,
): Promise<{ readonly projectId: number } | null> {
  const upload = await db.upload.findFirst({
    where: { secret, fileName, project: { route: { key: routeKey(fullPath) }, isRemoved: false } },
    select: { projectId: true, project: { select: levelSelection(viewer) } },
  });
  return upload && isProjectVisible(viewer, upload.project) ? upload : null;
}
