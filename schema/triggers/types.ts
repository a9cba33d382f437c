import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';
import { canSeeTriggerToken } from './policy.ts';

/** Characters of a token that are shown to users other than its owner. */
const shown = 4;

export const Trigger = builder.prismaObject('Trigger', {
  description:
    'A token that creates pipelines of a project in the name of its owner. Only users with the access level MASTER or higher see it.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the trigger.' }),
    token: t.string({
      description: `The token. Its first ${shown} characters for users other than the owner.`,
      resolve: ({ tokenSealed, ownerId }, _args, { viewer, secrets }) => {
        const token = secrets.open(tokenSealed);
        const isWhole = viewer !== null && canSeeTriggerToken(viewer.id, ownerId);
        return isWhole ? token : token.slice(0, shown);
      },
    }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'The text by which users recognize it; null without one.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When it was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it last changed.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last created a pipeline; null if never.',
    }),
    project: t.relation('project', { description: 'The project whose pipelines it creates.' }),
    owner: t.relation('owner', {
      nullable: true,
      description:
        'The user in whose name pipelines are created. Null if the user was deleted: the trigger creates none until another user takes ownership.',
    }),
  }),
});

export const TriggerPage = pageType('Trigger', Trigger);
