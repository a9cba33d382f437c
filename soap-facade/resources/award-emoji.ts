import { collection, type Path, type Resource } from '../kernel/resource.ts';
import { issues, mergeRequests, type Noteable, snippets } from './noteables.ts';

function awardEmojiOn({ name, singular, plural, path }: Noteable): Resource {
  const all: Path = `${path}/award_emoji`;
  return {
    name: `${name}_award_emoji`,
    title: `Award emoji on ${plural}`,
    noun: 'award emoji',
    methods: {
      ...collection(all, ':award_id', 'award emoji', singular, 'update'),
      list: [`GET ${all}`, `List the award emoji of ${singular}`],
    },
  };
}

const notesOn = ({ name, singular, plural, path }: Noteable): Noteable => ({
  name: `${name}_note`,
  singular: `a note on ${singular}`,
  plural: `notes on ${plural}`,
  path: `${path}/notes/:note_id`,
});

/** Emoji on each kind of noteable, and on its notes. */
export const awardEmoji = [issues, mergeRequests, snippets].flatMap((noteable) => [
  awardEmojiOn(noteable),
  awardEmojiOn(notesOn(noteable)),
]);
