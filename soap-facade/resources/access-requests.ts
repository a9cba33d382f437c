import type { Resource } from '../kernel/resource.ts';

function accessRequestsTo(kind: 'group' | 'project'): Resource {
  const all = `/${kind}s/:id/access_requests` as const;
  return {
    name: `${kind}_access_request`,
    title: `Access requests to ${kind}s`,
    noun: 'access request',
    methods: {
      list: [`GET ${all}`, `List the access requests to a ${kind}`],
      create: [`POST ${all}`, `Request access to a ${kind}`],
      approve: [`PUT ${all}/:user_id/approve`, `Approve an access request to a ${kind}`],
      deny: [`DELETE ${all}/:user_id`, `Deny an access request to a ${kind}`],
    },
  };
}

export const groupAccessRequest = accessRequestsTo('group');
export const projectAccessRequest = accessRequestsTo('project');
