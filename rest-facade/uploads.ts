import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const create = route({
  method: 'post',
  path: '/projects/:id/uploads',
  title: 'Upload a file to a project',
  access: 'signed in',
  params: z.object({ ...ref, file: p.file() }),
  document: graphql(
    `mutation AddUpload($id: ID!, $file: Upload!) {
      result: createUpload(project: $id, file: $file) { alt url: path markdown }
    }`,
  ),
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
