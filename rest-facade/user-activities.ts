import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';

const list = route({
  method: 'get',
  path: '/user/activities',
  scopes: ['read_user'],
  access: 'admin',
  params: z.object({ from: p.date().optional() }),
  document: graphql(
    `query UserActivities($from: Date, $page: Int, $perPage: Int) {
      userActivities(from: $from, page: $page, perPage: $perPage) {
        total nodes { username account { lastActivityOn } }
      }
    }`,
  ),
  variables: ({ from, page, perPage }) => ({ from, page, perPage }),
  page: ({ userActivities }) => userActivities.total,
  reshape: ({ userActivities }) =>
    userActivities.nodes.map(({ username, account }) => ({
      username,
      last_activity_on: account?.lastActivityOn,
      /** The former name. */
      last_activity_at: account?.lastActivityOn,
    })),
});

export const userActivities = [list];
