import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound, unauthenticated } from '../../../schema/kernel/errors.ts';
import type { Owner } from '../frame/owner.ts';
import type { Visit } from '../kernel/page.ts';
import { type Milestone, milestoneFields } from './progress.ts';

const list = graphql(
  `query MilestoneByNumber($source: GroupOrProject!, $iids: [Int!]!) {
    milestones(source: $source, filter: { iids: $iids }, perPage: 1) {
      nodes { ...ShownMilestone }
    }
  }`,
  [milestoneFields],
);

/** The milestone of a project or group with this number; throws if there is none. */
export async function findMilestone(visit: Visit, owner: Owner, iid: number): Promise<Milestone> {
  if (!visit.viewer) throw unauthenticated();
  const variables = { source: owner.source, iids: [iid] };
  const [milestone] = (await visit.ask(list, variables)).milestones.nodes;
  if (!milestone) throw pathNotFound();
  return milestone;
}
