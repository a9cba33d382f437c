import type { Resource } from './kernel/resource.ts';

export const settings: Resource = {
  name: 'settings',
  aliases: ['application_settings'],
  title: 'Application settings',
  noun: 'settings',
  methods: {
    info: { operation: 'GET /application/settings', title: 'Show the settings' },
    update: { operation: 'PUT /application/settings', title: 'Change the settings' },
  },
};
