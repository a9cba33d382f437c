import type { Resource } from './kernel/resource.ts';

export const version: Resource = {
  name: 'version',
  title: 'Version of the service',
  noun: 'version',
  methods: {
    info: { operation: 'GET /version', title: 'Show the version' },
  },
};
