import type { Resource } from './kernel/resource.ts';

export const version: Resource = {
  name: 'version',
  title: 'Version of the service',
  methods: { info: ['GET /version', 'Show the version'] },
};
