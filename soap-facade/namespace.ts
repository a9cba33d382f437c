import type { Resource } from './kernel/resource.ts';

export const namespace: Resource = {
  name: 'namespace',
  title: 'Namespaces',
  noun: 'namespace',
  methods: {
    list: { operation: 'GET /namespaces', title: 'List namespaces' },
    info: { operation: 'GET /namespaces/:id', title: 'Show a namespace' },
  },
};
