import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { archiveContent, archiveParams, artifactsFields, sendArchive } from './job-downloads.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { entity, s } from './kernel/shape.ts';

// runners authenticate by the token of their job, without a user
const own = { access: 'anyone', headers: { token: 'Job-Token' } } as const;

const credentials = { id: p.id(), token: p.text().optional() };

const authorize = route({
  ...own,
  method: 'post',
  path: '/jobs/:id/artifacts/authorize',
  status: 200,
  params: z.object({ ...credentials, filesize: p.int({ least: 0 }).optional() }),
  document: graphql(
    `query CanLeaveArtifacts($id: Int!, $token: String, $filesize: Int) {
      canLeaveArtifacts(id: $id, token: $token, size: $filesize)
    }`,
  ),
  title: 'Check whether artifacts may be uploaded',
  statuses: [405],
  response: s.object({}),
  // in v4 the body is for a proxy in front of the server, which is not used here
  reshape: () => ({}),
});

const leave = route({
  ...own,
  method: 'post',
  path: '/jobs/:id/artifacts',
  takesArtifacts: true,
  params: z.object({
    ...credentials,
    expire_in: p.text({ longest: 255 }).optional(),
    file: p.file().optional(),
  }),
  document: graphql(
    `mutation LeaveArtifacts($id: Int!, $token: String, $file: Upload, $expire_in: String) {
      result: leaveArtifacts(id: $id, token: $token, file: $file, expireIn: $expire_in) {
        filename: fileName size
      }
    }`,
  ),
  title: 'Upload the artifacts of a job',
  statuses: [405],
  response: entity('UploadedArtifacts', {
    id: s.id().describe('The id of the job.'),
    artifacts_file: s
      .object({
        filename: s.text().describe('The name of the archive.'),
        size: s.int().describe('Its size in bytes.'),
      })
      .describe('The stored archive.'),
  }),
  reshape: (artifacts_file, _site, { id }) => ({ id, artifacts_file }),
});

const fetch = route({
  ...own,
  method: 'get',
  ...archiveContent,
  title: 'Download the artifacts of a job as a runner',
  path: '/jobs/:id/artifacts',
  params: z.object({ ...credentials, ...archiveParams }),
  document: graphql(
    `query ArtifactsForJob($id: Int!, $token: String) {
      artifactsForJob(id: $id, token: $token) { ...ArtifactsFields }
    }`,
    [artifactsFields],
  ),
  variables: ({ direct_download: _direct, ...rest }) => rest,
  send: ({ artifactsForJob }, params, streams) => sendArchive(artifactsForJob, params, streams),
});

/** Artifacts archives, as runners upload and download them (v4-behaviour 3.12). */
export const jobArtifacts = [authorize, leave, fetch];
