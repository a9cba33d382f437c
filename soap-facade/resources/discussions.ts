import type { Path, Resource } from '../kernel/resource.ts';
import { issues, mergeRequests, type Noteable, snippets } from './noteables.ts';

const commits: Noteable = {
  name: 'commit',
  singular: 'a commit',
  plural: 'commits',
  path: '/projects/:id/repository/commits/:sha',
};

const noteMethods = (path: Path, thing: string) =>
  ({
    list_notes: [`GET ${path}/notes`, `List the notes of a discussion of ${thing}`],
    note_info: [`GET ${path}/notes/:note_id`, `Show a note of a discussion of ${thing}`],
    reply: [`POST ${path}/notes`, `Reply to a discussion of ${thing}`],
    update_note: [`PUT ${path}/notes/:note_id`, `Update a note in a discussion of ${thing}`],
    delete_note: [`DELETE ${path}/notes/:note_id`, `Delete a note from a discussion of ${thing}`],
  }) as const;

function discussionsOn({ name, singular, plural, path }: Noteable): Resource {
  const all = `${path}/discussions` as const;
  const single = `${all}/:discussion_id` as const;
  return {
    name: `${name}_discussion`,
    title: `Discussions of ${plural}`,
    noun: 'discussion',
    methods: {
      list: [`GET ${all}`, `List the discussions of ${singular}`],
      info: [`GET ${single}`, `Show a discussion of ${singular}`],
      create: [`POST ${all}`, `Start a discussion of ${singular}`],
      ...(name === 'merge_request' && {
        update: [`PUT ${single}`, `Resolve a discussion of ${singular}`] as const,
      }),
      ...noteMethods(single, singular),
    },
  };
}

export const issueDiscussion = discussionsOn(issues);
export const snippetDiscussion = discussionsOn(snippets);
export const mergeRequestDiscussion = discussionsOn(mergeRequests);
export const commitDiscussion = discussionsOn(commits);
