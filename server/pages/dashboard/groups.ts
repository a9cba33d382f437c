import { graphql } from '../../../schema/client/graphql.ts';
import { html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Page, ShownPage, Visit } from '../kernel/page.ts';
import { emptyState } from '../kernel/parts.ts';
import { groupList } from './group-list.ts';

const CanCreateGroups = graphql(`
  query CanCreateGroups { canCreateGroups }
`);

/** The groups of which the user is a member. */
async function ownGroups(visit: Visit): Promise<ShownPage> {
  const { url } = visit;
  const { canCreateGroups } = await visit.ask(CanCreateGroups, {});
  const create =
    canCreateGroups &&
    html`<a class="button" href="${url('/groups/new')}">${icon('plus')}New group</a>`;
  const list = await groupList(visit, {
    path: '/groups',
    filter: { isMember: true },
    none: emptyState(
      'You are in no group yet',
      'A group holds projects whose members have access to all of them.',
      html`<a class="button secondary" href="${url('/explore/groups')}">Explore groups</a>`,
    ),
  });
  return {
    title: 'Your groups',
    main: html`<div class="bar"><h1>Your groups</h1>${create}</div>
${list}`,
  };
}

export const groupsPages: readonly Page[] = [
  { method: 'get', path: '/groups', access: 'signed in', answer: ownGroups },
];
