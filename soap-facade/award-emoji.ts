import type { Resource } from './kernel/resource.ts';

interface Kind {
  readonly name: string;
  /** `an issue` */
  readonly thing: string;
  readonly title: string;
  /** Within a project. */
  readonly path: string;
}

function awardEmojiOn({ name, thing, title, path }: Kind): Resource {
  const all = `/projects/:id/${path}/award_emoji` as const;
  const one = `${all}/:award_id` as const;
  return {
    name: `${name}_award_emoji`,
    title,
    noun: 'award emoji',
    methods: {
      list: { operation: `GET ${all}`, title: `List the emoji awarded to ${thing}` },
      info: { operation: `GET ${one}`, title: `Show an emoji awarded to ${thing}` },
      create: { operation: `POST ${all}`, title: `Award an emoji to ${thing}` },
      delete: { operation: `DELETE ${one}`, title: `Take back an emoji awarded to ${thing}` },
    },
  };
}

const things: readonly Kind[] = [
  {
    name: 'issue',
    thing: 'an issue',
    title: 'Award emoji on issues',
    path: 'issues/:issue_iid',
  },
  {
    name: 'merge_request',
    thing: 'a merge request',
    title: 'Award emoji on merge requests',
    path: 'merge_requests/:merge_request_iid',
  },
  {
    name: 'snippet',
    thing: 'a snippet',
    title: 'Award emoji on snippets',
    path: 'snippets/:snippet_id',
  },
];

const notesOn = ({ name, thing, title, path }: Kind): Kind => ({
  name: `${name}_note`,
  thing: `a note on ${thing}`,
  title: title.replace(' on ', ' on notes on '),
  path: `${path}/notes/:note_id`,
});

/** Emoji on each kind of thing, and on the notes there. */
export const awardEmoji = things.flatMap((kind) => [
  awardEmojiOn(kind),
  awardEmojiOn(notesOn(kind)),
]);
