import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';

export const AuditEvent = builder.prismaObject('AuditEvent', {
  description: 'A change of an account, a credential, a right or a setting.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the event.' }),
    name: t.exposeString('name', { description: 'What happened, such as `block_user`.' }),
    authorId: t.exposeInt('authorId', {
      nullable: true,
      description: 'The id of the user who did it; null for anonymous users and for commands.',
    }),
    authorName: t.exposeString('authorName', {
      description: 'The username of the author at that time; empty for anonymous users.',
    }),
    sudoerId: t.exposeInt('sudoerId', {
      nullable: true,
      description: 'The id of the administrator who acted as the author; null without sudo.',
    }),
    applicationId: t.exposeInt('applicationId', {
      nullable: true,
      description:
        'The id of the application that acted as the author, which may be deleted; null if none did, and for a token of no application.',
    }),
    applicationName: t.exposeString('applicationName', {
      nullable: true,
      description:
        'The name of the application that acted as the author at that time; `password grant` for an OAuth access token of no application. Null if the author acted in person.',
    }),
    address: t.exposeString('address', { description: 'The network address of the request.' }),
    projectId: t.exposeInt('projectId', {
      nullable: true,
      description: 'The id of the project concerned, which may be deleted; null if there is none.',
    }),
    groupId: t.exposeInt('groupId', {
      nullable: true,
      description: 'The id of the group concerned, which may be deleted; null if there is none.',
    }),
    userId: t.exposeInt('userId', {
      nullable: true,
      description: 'The id of the user concerned, who may be deleted; null if there is none.',
    }),
    details: t.string({
      description: 'The input without texts that may be secret, as JSON.',
      select: { details: true },
      resolve: ({ details }) => JSON.stringify(details),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
  }),
});

export const AuditEventPage = pageType('AuditEvent', AuditEvent);
