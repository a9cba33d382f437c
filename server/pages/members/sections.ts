import { pathNotFound } from '../../../schema/kernel/errors.ts';
import type { Project } from '../frame/project-head.ts';
import type { GroupSection, ProjectSection } from '../frame/sections.ts';
import { orFault } from '../kernel/fault.ts';
import type { Visit } from '../kernel/page.ts';
import type { Failed } from './failed.ts';
import { membersPage, submitMembers } from './members.ts';
import { inGroup, inProject } from './place.ts';
import { changeShares, shares } from './shares.ts';

const sharesOf = (visit: Visit, project: Project) => (failed?: Failed) =>
  shares(visit, project, failed);

const nothing = () => null;

export const memberSections: readonly ProjectSection[] = [
  {
    word: 'project_members',
    show: (visit, project, rest) => {
      if (rest !== '') throw pathNotFound();
      return membersPage(visit, inProject(visit, project), sharesOf(visit, project));
    },
    submit: (visit, project, rest) =>
      submitMembers(visit, inProject(visit, project), rest, sharesOf(visit, project)),
  },
  {
    word: 'group_links',
    submit: (visit, project, rest) => {
      const place = inProject(visit, project);
      return orFault(
        visit,
        async () => {
          await changeShares(visit, project, rest);
          return { redirect: `${place.address}?saved=1` };
        },
        (fault) =>
          membersPage(visit, place, sharesOf(visit, project), { form: 'group_links', fault }),
      );
    },
  },
];

export const groupMemberSections: readonly GroupSection[] = [
  {
    word: 'group_members',
    show: (visit, group, rest) => {
      if (rest !== '') throw pathNotFound();
      return membersPage(visit, inGroup(visit, group), nothing);
    },
    submit: (visit, group, rest) => submitMembers(visit, inGroup(visit, group), rest, nothing),
  },
];
