import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { Refusal } from './kernel/answer.ts';
import { p } from './kernel/params.ts';
import { attachmentResponse } from './kernel/raw.ts';
import { route } from './kernel/route.ts';

// runners show the token of a job and are nobody else
const own = { access: 'anyone', headers: { token: 'Job-Token' } } as const;

const shown = { id: p.id(), token: p.text().optional() };

const authorize = route({
  ...own,
  method: 'post',
  path: '/jobs/:id/artifacts/authorize',
  status: 200,
  params: z.object({ ...shown, filesize: p.int({ least: 0 }).optional() }),
  document: graphql(
    `query CanLeaveArtifacts($id: Int!, $token: String, $size: Int) {
      canLeaveArtifacts(id: $id, token: $token, size: $size)
    }`,
  ),
  variables: ({ id, token, filesize }) => ({ id, token, size: filesize }),
  // what a proxy in between would be told does not concern anybody here
  reshape: () => ({}),
});

const leave = route({
  ...own,
  method: 'post',
  path: '/jobs/:id/artifacts',
  takesArtifacts: true,
  params: z.object({
    ...shown,
    expire_in: p.text({ longest: 255 }).optional(),
    file: p.file().optional(),
  }),
  document: graphql(
    `mutation LeaveArtifacts($id: Int!, $token: String, $file: Upload, $expireIn: String) {
      leaveArtifacts(id: $id, token: $token, file: $file, expireIn: $expireIn) { filename size }
    }`,
  ),
  variables: ({ id, token, file, expire_in }) => ({ id, token, file, expireIn: expire_in }),
  reshape: ({ leaveArtifacts: { filename, size } }, _site, { id }) => ({
    id,
    artifacts_file: { filename, size },
  }),
});

const fetch = route({
  ...own,
  method: 'get',
  path: '/jobs/:id/artifacts',
  params: z.object(shown),
  document: graphql(
    `query ArtifactsForJob($id: Int!, $token: String) {
      artifactsForJob(id: $id, token: $token) { jobId projectId file { filename } }
    }`,
  ),
  variables: ({ id, token }) => ({ id, token }),
  send: async ({ artifactsForJob: { jobId, projectId, file } }, _params, { jobFiles }) => {
    const opened = await jobFiles.openArtifacts({ id: jobId, projectId });
    if (!opened) throw new Refusal({ status: 404, body: { message: '404 Not Found' } });
    return attachmentResponse(opened.content, { name: file.filename, size: opened.size });
  },
});

/** Archives as runners leave and fetch them (v4-behaviour 3.12). */
export const jobArtifacts = [authorize, leave, fetch];
