import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, s, shaped } from './kernel/shape.ts';

const uploadFields = graphql(`
  fragment UploadFields on Attachment { alt url: path markdown fullUrl: url }
`);

const upload = shaped(
  changed('Upload', uploadFields, ['fullUrl'], {
    full_path: s
      .text()
      .describe('The path of the file from the root of the server (from GitLab 12.9).'),
  }),
  ({ fullUrl, ...record }: ResultOf<typeof uploadFields>) => ({
    ...record,
    full_path: new URL(fullUrl).pathname,
  }),
);

const create = route({
  method: 'post',
  path: '/projects/:id/uploads',
  title: 'Upload a file to a project',
  access: 'signed in',
  params: z.object({ ...ref, file: p.file() }),
  document: graphql(
    `mutation AddUpload($id: ID!, $file: Upload!) {
      result: createUpload(project: $id, file: $file) { ...UploadFields }
    }`,
    [uploadFields],
  ),
  reshape: upload,
});

/** An avatar alone; some clients have no other way to set a group's. */
const updateGroupAvatar = route({
  method: 'put',
  path: '/groups/:id/avatar',
  title: 'Set the avatar of a group',
  access: 'signed in',
  params: z.object({ ...ref, file: p.file() }),
  document: graphql(
    `mutation UpdateGroupAvatar($id: ID!, $file: Upload) {
      result: updateGroup(group: $id, avatar: $file) { avatar_url: avatarUrl }
    }`,
  ),
});

export const uploads = [create, updateGroupAvatar];
