import type { Resource } from '../kernel/resource.ts';

export const namespace: Resource = {
  name: 'namespace',
  title: 'Namespaces',
  methods: {
    list: ['GET /namespaces', 'List namespaces'],
    info: ['GET /namespaces/:id', 'Show a namespace'],
  },
};
