import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const namespaceFields = graphql(`
  fragment NamespaceFields on Namespace {
    id name path kind fullPath parentId membersCountWithDescendants
  }
`);

/** A namespace; only masters of a group see its member count (v4-behaviour 2.13). */
const namespace = (record: ResultOf<typeof namespaceFields>) => ({
  id: record.id,
  name: record.name,
  path: record.path,
  kind: record.kind,
  full_path: record.fullPath,
  parent_id: record.parentId,
  ...(record.membersCountWithDescendants !== null && {
    members_count_with_descendants: record.membersCountWithDescendants,
  }),
});

const list = route({
  method: 'get',
  path: '/namespaces',
  access: 'signed in',
  params: z.object({ search: p.text().optional() }),
  document: graphql(
    `query Namespaces($search: String, $page: Int, $perPage: Int) {
      page: namespaces(search: $search, page: $page, perPage: $perPage) {
        total nodes { ...NamespaceFields }
      }
    }`,
    [namespaceFields],
  ),
  variables: ({ search, page, perPage }) => ({ search, page, perPage }),
  reshape: namespace,
});

const show = route({
  method: 'get',
  path: '/namespaces/:id',
  access: 'signed in',
  params: z.object(ref),
  document: graphql(
    `query Namespace($namespace: ID!) {
      result: namespace(namespace: $namespace) { ...NamespaceFields }
    }`,
    [namespaceFields],
  ),
  variables: ({ id }) => ({ namespace: id }),
  reshape: namespace,
});

export const namespaces = [list, show];
