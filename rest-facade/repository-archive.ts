import { create as contentDisposition } from 'content-disposition';
import type { Context } from 'koa';
import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { mayRead } from './entities/repository.ts';
import { Refusal } from './kernel/answer.ts';
import { p, ref } from './kernel/params.ts';
import { type ArchiveFormat, route, type Streams } from './kernel/route.ts';

/**
 * Format names in requests, after a dot or as `format`, and the formats they select (v4-behaviour
 * 2.10).
 */
const formats: Readonly<Record<string, ArchiveFormat>> = {
  zip: 'zip',
  tar: 'tar',
  'tar.gz': 'tar.gz',
  tgz: 'tar.gz',
  gz: 'tar.gz',
  'tar.bz2': 'tar.bz2',
  tbz: 'tar.bz2',
  tbz2: 'tar.bz2',
  tb2: 'tar.bz2',
  bz2: 'tar.bz2',
};

const usual = 'tar.gz';

const document = graphql(
  `query RepositoryArchive($project: ID!, $ref: String) {
    repository(project: $project) { projectId archive(ref: $ref) { commit name } }
  }`,
);

async function send(
  { repository: { projectId, archive } }: ResultOf<typeof document>,
  asked: string,
  ctx: Context,
  streams: Streams,
): Promise<void> {
  const format = Object.hasOwn(formats, asked) ? formats[asked] : undefined;
  if (!format || !(await streams.canArchive(format))) {
    const error = `The requested format '${asked}' is not supported.`;
    throw new Refusal({ status: 406, body: { error } });
  }
  const { res } = ctx;
  const content = await streams.openArchive({ projectId, ...archive, format }, ctx);
  // also without a reader, as for HEAD
  res.once('close', () => content.destroy());
  if (res.destroyed) content.destroy();
  ctx.set('Content-Type', 'application/octet-stream');
  // v4 always quotes the name, and some clients rely on the quotes
  const disposition = contentDisposition(`${archive.name}.${format}`);
  ctx.set('Content-Disposition', disposition.replace(/filename=([^";]+)/, 'filename="$1"'));
  ctx.body = content;
}

const params = z.object({ ...ref, sha: p.text().optional(), format: p.text().optional() });

/** An endpoint for each spelling of the format. */
export const repositoryArchive = [null, ...Object.keys(formats)].map((suffix) =>
  route({
    method: 'get',
    path: `/projects/:id/repository/archive${suffix === null ? '' : `.${suffix}`}`,
    access: 'anyone',
    before: mayRead,
    params,
    document,
    variables: ({ id, sha }) => ({ project: id, ref: sha || undefined }),
    send: (data, { format }, ctx, streams) => send(data, suffix ?? (format || usual), ctx, streams),
  }),
);
