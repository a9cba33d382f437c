import { z } from 'zod';
import type { Outcome } from '../schema/client/endpoint.ts';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { Refusal } from './kernel/answer.ts';
import { p, ref } from './kernel/params.ts';
import {
  attachmentContent,
  attachmentResponse,
  rawContent,
  rawResponse,
  redirectResponse,
  textResponse,
} from './kernel/raw.ts';
import { route, type Streams } from './kernel/route.ts';

const ofJob = z.object({ ...ref, job_id: p.id() });

const trace = route({
  method: 'get',
  ...rawContent,
  path: '/projects/:id/jobs/:job_id/trace',
  access: 'signed in',
  params: ofJob,
  document: graphql(
    `query JobTrace($id: ID!, $job_id: Int!) { job(project: $id, id: $job_id) { id projectId } }`,
  ),
  send: async ({ job }, _params, { jobFiles }) => {
    // the trace so far, if the job still runs
    const opened = await jobFiles.openTrace(job);
    const { content, size } = opened ?? { content: Buffer.alloc(0), size: 0 };
    return textResponse(content, { name: `${job.id}.log`, size });
  },
});

/** What `sendArchive` needs. */
export const artifactsFields = graphql(`
  fragment ArtifactsFields on Artifacts { jobId projectId file { fileName } }
`);

type Artifacts = ResultOf<typeof artifactsFields>;

const nothing = () => new Refusal({ status: 404, body: { message: '404 Not Found' } });

/** Parameters of an archive's download. */
export const archiveParams = {
  direct_download: p
    .flag()
    .optional()
    .describe(
      'Whether the response may redirect to the object store, if the archive is in one. A request with a token in a header is redirected only with `true`, because clients may forward it.',
    ),
};

/** What OpenAPI says of an archive's download. */
export const archiveContent = { ...attachmentContent, statuses: [200, 302] };

/** An archive that the core has authorized the caller to download. */
export async function sendArchive(
  { jobId, projectId, file }: Artifacts,
  { direct_download: isRequested }: { readonly direct_download?: boolean | undefined },
  { jobFiles }: Streams,
): Promise<Outcome> {
  const job = { id: jobId, projectId };
  const url = await jobFiles.artifactsUrl(job, { fileName: file.fileName, isRequested });
  if (url !== null) return redirectResponse(url);
  const opened = await jobFiles.openArtifacts(job);
  if (!opened) throw nothing();
  return attachmentResponse(opened.content, { name: file.fileName, size: opened.size });
}

async function sendEntry(
  { jobId, projectId }: Artifacts,
  path: string,
  { jobFiles }: Streams,
): Promise<Outcome> {
  const opened = isPlain(path)
    ? await jobFiles.openArtifactsEntry({ id: jobId, projectId }, path)
    : null;
  if (!opened) throw nothing();
  return rawResponse(opened.content, {
    name: path.slice(path.lastIndexOf('/') + 1),
    size: opened.size,
  });
}

/** Rejects paths out of the archive, and other spellings of a path. */
const isPlain = (path: string): boolean =>
  !path.includes('\\') &&
  path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');

// the project decides who may download; artifacts of public jobs are open to anonymous users
const readable = { method: 'get', access: 'anyone' } as const;

const own = {
  document: graphql(
    `query Artifacts($id: ID!, $job_id: Int!) {
      artifacts(project: $id, job: $job_id) { ...ArtifactsFields }
    }`,
    [artifactsFields],
  ),
} as const;

const archive = route({
  ...readable,
  ...own,
  ...archiveContent,
  path: '/projects/:id/jobs/:job_id/artifacts',
  params: ofJob.extend(archiveParams),
  variables: ({ direct_download: _direct, ...rest }) => rest,
  send: ({ artifacts }, params, streams) => sendArchive(artifacts, params, streams),
});

const inArchive = { artifact_path: p.text({ isFilled: true, longest: 4096 }) };

const entry = route({
  ...readable,
  ...own,
  ...rawContent,
  path: '/projects/:id/jobs/:job_id/artifacts/*artifact_path',
  params: ofJob.extend(inArchive),
  variables: ({ artifact_path: _path, ...rest }) => rest,
  send: ({ artifacts }, { artifact_path }, streams) => sendEntry(artifacts, artifact_path, streams),
});

const ofRef = z.object({ ...ref, ref_name: p.text({ isFilled: true }), job: p.text() });

const latest = {
  document: graphql(
    `query LatestArtifacts($id: ID!, $ref_name: String!, $job: String!) {
      latestArtifacts(project: $id, ref: $ref_name, job: $job) { ...ArtifactsFields }
    }`,
    [artifactsFields],
  ),
} as const;

const latestArchive = route({
  ...readable,
  ...latest,
  ...archiveContent,
  path: '/projects/:id/jobs/artifacts/*ref_name/download',
  params: ofRef.extend(archiveParams),
  variables: ({ direct_download: _direct, ...rest }) => rest,
  send: ({ latestArtifacts }, params, streams) => sendArchive(latestArtifacts, params, streams),
});

const latestEntry = route({
  ...readable,
  ...latest,
  ...rawContent,
  path: '/projects/:id/jobs/artifacts/*ref_name/raw/*artifact_path',
  params: ofRef.extend(inArchive),
  variables: ({ artifact_path: _path, ...rest }) => rest,
  send: ({ latestArtifacts }, { artifact_path }, streams) =>
    sendEntry(latestArtifacts, artifact_path, streams),
});

/** Downloads of jobs: traces, artifacts archives, and single files of these. */
export const jobDownloads = [trace, archive, entry, latestArchive, latestEntry];
