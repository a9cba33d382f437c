import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { p } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { entity, s } from './kernel/shape.ts';

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
  response: entity('UserActivity', {
    username: s.text(),
    last_activity_on: s.day().nullable().optional().describe('The day of the last activity.'),
    last_activity_at: s
      .day()
      .nullable()
      .optional()
      .meta({ description: 'The same, by its former name.', deprecated: true }),
  }),
  reshape: ({ username, account }) => ({
    username,
    last_activity_on: account?.lastActivityOn,
    /** The former name. */
    last_activity_at: account?.lastActivityOn,
  }),
});

export const userActivities = [list];
