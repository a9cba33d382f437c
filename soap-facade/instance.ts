import type { Resource } from './kernel/resource.ts';

export const settings: Resource = {
  name: 'settings',
  aliases: ['application_settings'],
  title: 'Application settings',
  methods: {
    info: ['GET /application/settings', 'Show the settings'],
    update: ['PUT /application/settings', 'Update the settings'],
  },
};

export const version: Resource = {
  name: 'version',
  title: 'Version of the service',
  methods: { info: ['GET /version', 'Show the version'] },
};
