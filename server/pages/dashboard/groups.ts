import { html } from '../kernel/html.ts';
import type { Page, ShownPage, Visit } from '../kernel/page.ts';
import { emptyState } from '../kernel/parts.ts';
import { newGroup } from './create-buttons.ts';
import { groupList } from './group-list.ts';

/** The groups of which the user is a member. */
async function ownGroups(visit: Visit): Promise<ShownPage> {
  const { url } = visit;
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
    main: html`<div class="bar"><h1>Your groups</h1>${await newGroup(visit)}</div>
${list}`,
  };
}

export const groupsPages: readonly Page[] = [
  { method: 'get', path: '/groups', access: 'signed in', answer: ownGroups },
];
