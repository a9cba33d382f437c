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
      page: userActivities(filter: { activeSince: $from }, page: $page, perPage: $perPage) {
        total nodes { username account { lastActivityOn } }
      }
    }`,
  ),
  reshape: ({ username, account }) => ({
    username,
    last_activity_on: account?.lastActivityOn,
    /** The former name. */
    last_activity_at: account?.lastActivityOn,
  }),
});

export const userActivities = [list];
