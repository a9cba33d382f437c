import { z } from 'zod';
import type { Outcome } from '../schema/client/endpoint.ts';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { Refusal } from './kernel/answer.ts';
import { p, ref } from './kernel/params.ts';
import { attachmentResponse, rawResponse, textResponse } from './kernel/raw.ts';
import { route, type Streams } from './kernel/route.ts';

const ofJob = z.object({ ...ref, job_id: p.id() });

const trace = route({
  method: 'get',
  path: '/projects/:id/jobs/:job_id/trace',
  access: 'signed in',
  params: ofJob,
  document: graphql(
    `query JobTrace($project: ID!, $id: Int!) { job(project: $project, id: $id) { id projectId } }`,
  ),
  variables: ({ id, job_id }) => ({ project: id, id: job_id }),
  send: async ({ job }, _params, { jobFiles }) => {
    // of a job that still runs: what is there by now
    const opened = await jobFiles.openTrace(job);
    const { content, size } = opened ?? { content: Buffer.alloc(0), size: 0 };
    return textResponse(content, { name: `${job.id}.log`, size });
  },
});

const artifactsFields = graphql(`
  fragment ArtifactsFields on Artifacts { jobId projectId file { filename } }
`);

type Artifacts = ResultOf<typeof artifactsFields>;

const nothing = () => new Refusal({ status: 404, body: { message: '404 Not Found' } });

async function sendArchive(
  { jobId, projectId, file }: Artifacts,
  { jobFiles }: Streams,
): Promise<Outcome> {
  const opened = await jobFiles.openArtifacts({ id: jobId, projectId });
  if (!opened) throw nothing();
  return attachmentResponse(opened.content, { name: file.filename, size: opened.size });
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

/** Nothing that leads out of the archive, or says the same in another way. */
const isPlain = (path: string): boolean =>
  !path.includes('\\') &&
  path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');

// what may be fetched by whom the project says: of public jobs by everybody
const open = { method: 'get', access: 'anyone' } as const;

const own = {
  document: graphql(
    `query Artifacts($project: ID!, $job: Int!) {
      artifacts(project: $project, job: $job) { ...ArtifactsFields }
    }`,
    [artifactsFields],
  ),
  variables: ({ id, job_id }: z.infer<typeof ofJob>) => ({ project: id, job: job_id }),
} as const;

const archive = route({
  ...open,
  ...own,
  path: '/projects/:id/jobs/:job_id/artifacts',
  params: ofJob,
  send: ({ artifacts }, _params, streams) => sendArchive(artifacts, streams),
});

const inside = { artifact_path: p.text({ isFilled: true, longest: 4096 }) };

const entry = route({
  ...open,
  ...own,
  path: '/projects/:id/jobs/:job_id/artifacts/*artifact_path',
  params: ofJob.extend(inside),
  send: ({ artifacts }, { artifact_path }, streams) => sendEntry(artifacts, artifact_path, streams),
});

const ofRef = z.object({ ...ref, ref_name: p.text({ isFilled: true }), job: p.text() });

const latest = {
  document: graphql(
    `query LatestArtifacts($project: ID!, $ref: String!, $job: String!) {
      latestArtifacts(project: $project, ref: $ref, job: $job) { ...ArtifactsFields }
    }`,
    [artifactsFields],
  ),
  variables: ({ id, ref_name, job }: z.infer<typeof ofRef>) => ({
    project: id,
    ref: ref_name,
    job,
  }),
} as const;

const latestArchive = route({
  ...open,
  ...latest,
  path: '/projects/:id/jobs/artifacts/*ref_name/download',
  params: ofRef,
  send: ({ latestArtifacts }, _params, streams) => sendArchive(latestArtifacts, streams),
});

const latestEntry = route({
  ...open,
  ...latest,
  path: '/projects/:id/jobs/artifacts/*ref_name/raw/*artifact_path',
  params: ofRef.extend(inside),
  send: ({ latestArtifacts }, { artifact_path }, streams) =>
    sendEntry(latestArtifacts, artifact_path, streams),
});

/** What jobs left behind: traces, archives, and single files of these. */
export const jobDownloads = [trace, archive, entry, latestArchive, latestEntry];
