import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';
import { canSeeTriggerToken } from './policy.ts';

/** Characters of a token that are shown to users other than its owner. */
const shown = 4;

export const Trigger = builder.prismaObject('Trigger', {
  description: 'A token that makes pipelines of a project in the name of its owner; masters.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    token: t.string({
      description: 'Whole for its owner; for others its beginning.',
      resolve: ({ tokenSealed, ownerId }, _args, { viewer, secrets }) => {
        const token = secrets.open(tokenSealed);
        const isWhole = viewer !== null && canSeeTriggerToken(viewer.id, ownerId);
        return isWhole ? token : token.slice(0, shown);
      },
    }),
    description: t.exposeString('description', { nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    /** The owner; null: deleted, and the trigger is inactive until a user takes ownership. */
    owner: t.relation('owner', { nullable: true }),
  }),
});

export const TriggerPage = pageType('Trigger', Trigger);
