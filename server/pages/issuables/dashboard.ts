import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressInGroup } from '../frame/address-in.ts';
import type { Group } from '../frame/group-head.ts';
import { groupPage } from '../frame/group-head.ts';
import type { GroupSection } from '../frame/sections.ts';
import { html } from '../kernel/html.ts';
import type { Page, Visit } from '../kernel/page.ts';
import { issuableList } from './list.ts';
import type { IssuableKind } from './list-query.ts';

const titles = { issues: 'Issues', merge_requests: 'Merge requests' } as const;

const dashboard = (kind: IssuableKind): Page => ({
  method: 'get',
  path: `/dashboard/${kind}`,
  access: 'signed in',
  async answer(visit) {
    const address = visit.url(`/dashboard/${kind}`);
    const list = await issuableList(visit, {
      kind,
      scope: { kind: 'dashboard' },
      address,
      create: null,
    });
    return {
      title: `Your ${titles[kind].toLowerCase()}`,
      main: html`<h1>${titles[kind]}</h1>${list}`,
    };
  },
});

/** The issues and merge requests of a user in all projects. */
export const dashboardPages: readonly Page[] = [dashboard('issues'), dashboard('merge_requests')];

const inGroup = (kind: IssuableKind): GroupSection => ({
  word: kind,
  async show(visit: Visit, group: Group, rest: string) {
    if (rest !== '') throw pathNotFound();
    const address = addressInGroup(visit, group, kind);
    const scope = { kind: 'group', owner: group } as const;
    const list = await issuableList(visit, { kind, scope, address, create: null });
    return groupPage(visit, group, kind, titles[kind], html`<h1>${titles[kind]}</h1>${list}`);
  },
});

/** The issues and merge requests of the projects below a group. */
export const groupIssuableSections: readonly GroupSection[] = [
  inGroup('issues'),
  inGroup('merge_requests'),
];
