import { boardSections } from './boards/boards.ts';
import { ciSections } from './ci/sections.ts';
import { codeSections } from './code/sections.ts';
import { commitSections } from './commits/sections.ts';
import { compareSections } from './compare/sections.ts';
import { diffSections } from './diffs/sections.ts';
import { discussionSections } from './discussions/attachments.ts';
import { fileSections } from './files/sections.ts';
import type { GroupSection, ProjectSection } from './frame/sections.ts';
import { groupSections } from './groups/sections.ts';
import { groupIssuableSections } from './issuables/dashboard.ts';
import { issueSections } from './issues/sections.ts';
import { groupLabelSections, labelSections } from './labels/labels.ts';
import { groupMemberSections, memberSections } from './members/sections.ts';
import { mergeRequestSections } from './merge-requests/sections.ts';
import { groupMilestoneSections, milestoneSections } from './milestones/milestones.ts';
import { projectSections } from './projects/sections.ts';
import { releaseSections } from './releases/sections.ts';
import { groupSettingsSections, settingsSections } from './settings/sections.ts';
import { snippetSections } from './snippets/sections.ts';
import { wikiSections } from './wiki/sections.ts';

/** All pages below the address of a project; of those with one word, the first that owns a path counts. */
export const sectionsOfProjects: readonly ProjectSection[] = [
  ...projectSections,
  ...memberSections,
  ...codeSections,
  ...commitSections,
  ...compareSections,
  ...diffSections,
  ...fileSections,
  ...issueSections,
  ...discussionSections,
  ...labelSections,
  ...boardSections,
  ...milestoneSections,
  ...mergeRequestSections,
  ...ciSections,
  ...releaseSections,
  ...wikiSections,
  ...snippetSections,
  ...settingsSections,
];

/** The same of a group. */
export const sectionsOfGroups: readonly GroupSection[] = [
  ...groupSections,
  ...groupMemberSections,
  ...groupIssuableSections,
  ...groupLabelSections,
  ...groupMilestoneSections,
  ...groupSettingsSections,
];
