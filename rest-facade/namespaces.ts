import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { changed, s, shaped } from './kernel/shape.ts';

const namespaceFields = graphql(`
  fragment NamespaceFields on Namespace {
    id name path kind full_path: fullPath parent_id: parentId
    members_count_with_descendants: membersCountWithDescendants
  }
`);

/** A namespace; only masters of a group see its member count (v4-behaviour 2.13). */
const namespace = shaped(
  changed('Namespace', namespaceFields, [], {
    members_count_with_descendants: s.int().optional(),
  }),
  (record: ResultOf<typeof namespaceFields>) => ({
    ...record,
    members_count_with_descendants: record.members_count_with_descendants ?? undefined,
  }),
);

const list = route({
  method: 'get',
  path: '/namespaces',
  access: 'signed in',
  params: z.object({ search: p.text().optional() }),
  document: graphql(
    `query Namespaces($search: String, $page: Int, $perPage: Int) {
      page: namespaces(filter: { search: $search }, page: $page, perPage: $perPage) {
        total nodes { ...NamespaceFields }
      }
    }`,
    [namespaceFields],
  ),
  reshape: namespace,
});

const show = route({
  method: 'get',
  path: '/namespaces/:id',
  access: 'signed in',
  params: z.object(ref),
  document: graphql(
    `query Namespace($id: ID!) {
      result: namespace(namespace: $id) { ...NamespaceFields }
    }`,
    [namespaceFields],
  ),
  reshape: namespace,
});

export const namespaces = [list, show];
