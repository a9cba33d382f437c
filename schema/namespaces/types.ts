import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';

export const NamespaceKind = builder.enumType('NamespaceKind', {
  description: 'The kind of a namespace.',
  values: {
    user: { description: 'The personal namespace of a user.' },
    group: { description: 'A group.' },
  } as const,
});

export const Namespace = builder.prismaObject('Namespace', {
  description: 'A container of projects: a group, or the personal namespace of a user.',
  fields: (t) => ({
    id: t.exposeInt('id', {
      description:
        'The id. If the namespace is a group, `Namespace:7` and `Group:7` are the same record, and arguments accept both.',
    }),
    kind: t.expose('kind', {
      type: NamespaceKind,
      description: 'Whether the namespace is a group.',
    }),
    name: t.exposeString('name', {
      description: 'The name of the group, or the username of the owner.',
    }),
    path: t.exposeString('path', { description: 'The last part of the full path.' }),
    fullPath: t.exposeString('fullPath', {
      description: 'The paths of the ancestors and the namespace, such as `tools/ci`.',
    }),
    parentId: t.exposeInt('parentId', { nullable: true, extensions: internal }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the namespace was created.',
    }),
    owner: t.relation('owner', {
      nullable: true,
      description: 'The user whose personal namespace it is; null for a group.',
    }),
  }),
});
