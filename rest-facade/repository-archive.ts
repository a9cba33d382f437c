import { create as contentDisposition } from 'content-disposition';
import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { mayRead } from './entities/repository.ts';
import { Refusal } from './kernel/answer.ts';
import { p, ref } from './kernel/params.ts';
import { attachmentContent, type FileResponse } from './kernel/raw.ts';
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

/** Finds a commit to archive, for users who can download the code. */
export const archiveDocument = graphql(
  `query RepositoryArchive($project: ID!, $ref: String) {
    repository(project: $project) { projectId archive(ref: $ref) { commit name } }
  }`,
);

/** What REST and pages need to send archives. */
export type ArchiveStreams = Pick<Streams, 'canArchive' | 'openArchive'>;

/** The archive of a commit; null for an unknown format, and for one that this machine cannot write. */
export async function archiveResponse(
  { repository: { projectId, archive } }: ResultOf<typeof archiveDocument>,
  name: string,
  streams: ArchiveStreams,
): Promise<FileResponse | null> {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (!format || !(await streams.canArchive(format))) return null;
  const body = await streams.openArchive({ projectId, ...archive, format });
  const disposition = contentDisposition(`${archive.name}.${format}`);
  const headers = {
    'Content-Type': 'application/octet-stream',
    // v4 has always quoted the name, and some clients look for the quotes
    'Content-Disposition': disposition.replace(/filename=([^";]+)/, 'filename="$1"'),
  };
  return { status: 200, headers, body };
}

async function send(
  data: ResultOf<typeof archiveDocument>,
  format: string,
  streams: Streams,
): Promise<FileResponse> {
  const archive = await archiveResponse(data, format, streams);
  if (archive) return archive;
  const error = `The requested format '${format}' is not supported.`;
  throw new Refusal({ status: 406, body: { error } });
}

const params = z.object({ ...ref, sha: p.text().optional(), format: p.text().optional() });

/** An endpoint for each spelling of the format. */
export const repositoryArchive = [null, ...Object.keys(formats)].map((suffix) =>
  route({
    method: 'get',
    path: `/projects/:id/repository/archive${suffix === null ? '' : `.${suffix}`}`,
    access: 'anyone',
    before: mayRead,
    ...(suffix !== null && {
      title: `Download an archive of a repository as ${suffix}`,
      isDeprecated: true as const,
    }),
    ...attachmentContent,
    statuses: [406],
    params,
    document: archiveDocument,
    variables: ({ id, sha }) => ({ project: id, ref: sha || undefined }),
    send: (data, { format }, streams) => send(data, suffix ?? (format || usual), streams),
  }),
);
