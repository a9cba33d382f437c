import type { Resource } from './kernel/resource.ts';

function accessRequestsTo(kind: 'group' | 'project'): Resource {
  const all = `/${kind}s/:id/access_requests` as const;
  return {
    name: `${kind}_access_request`,
    title: `Access requests to ${kind}s`,
    noun: 'access request',
    methods: {
      list: { operation: `GET ${all}`, title: `List who asks for access to a ${kind}` },
      create: { operation: `POST ${all}`, title: `Ask for access to a ${kind}` },
      approve: {
        operation: `PUT ${all}/:user_id/approve`,
        title: `Give access to a ${kind} to who asked for it`,
      },
      deny: {
        operation: `DELETE ${all}/:user_id`,
        title: `Refuse access to a ${kind} to who asked for it`,
      },
    },
  };
}

export const groupAccessRequest = accessRequestsTo('group');
export const projectAccessRequest = accessRequestsTo('project');
