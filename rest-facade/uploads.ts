import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const create = route({
  method: 'post',
  path: '/projects/:id/uploads',
  access: 'signed in',
  params: z.object({ ...ref, file: p.file() }),
  document: graphql(
    `mutation AddUpload($project: ID!, $file: Upload!) {
      addUpload(project: $project, file: $file) { alt url markdown }
    }`,
  ),
  variables: ({ id, file }) => ({ project: id, file }),
  reshape: ({ addUpload: { alt, url, markdown } }) => ({ alt, url, markdown }),
});

/** An avatar alone; some clients have no other way to set a group's. */
const updateGroupAvatar = route({
  method: 'put',
  path: '/groups/:id/avatar',
  access: 'signed in',
  params: z.object({ ...ref, file: p.file() }),
  document: graphql(
    `mutation UpdateGroupAvatar($group: ID!, $avatar: Upload) {
      updateGroup(group: $group, avatar: $avatar) { avatarUrl }
    }`,
  ),
  variables: ({ id, file }) => ({ group: id, avatar: file }),
  reshape: ({ updateGroup }) => ({ avatar_url: updateGroup.avatarUrl }),
});

export const uploads = [create, updateGroupAvatar];
