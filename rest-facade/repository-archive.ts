import { create as contentDisposition } from 'content-disposition';
import { z } from 'zod';
import type { Outcome } from '../schema/client/endpoint.ts';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { mayRead } from './entities/repository.ts';
import { Refusal } from './kernel/answer.ts';
import { p, ref } from './kernel/params.ts';
import { attachmentContent } from './kernel/raw.ts';
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
  name: string,
  streams: Streams,
): Promise<Outcome> {
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (!format || !(await streams.canArchive(format))) {
    const error = `The requested format '${name}' is not supported.`;
    throw new Refusal({ status: 406, body: { error } });
  }
  const body = await streams.openArchive({ projectId, ...archive, format });
  const disposition = contentDisposition(`${archive.name}.${format}`);
  const headers = {
    'Content-Type': 'application/octet-stream',
    // v4 has always quoted the name, and some clients look for the quotes
    'Content-Disposition': disposition.replace(/filename=([^";]+)/, 'filename="$1"'),
  };
  return { status: 200, headers, body };
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
    document,
    variables: ({ id, sha }) => ({ project: id, ref: sha || undefined }),
    send: (data, { format }, streams) => send(data, suffix ?? (format || usual), streams),
  }),
);
