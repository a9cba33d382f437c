import { type Html, html } from '../kernel/html.ts';
import { type IconName, icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { addressIn } from './address-in.ts';

/** What decides which tabs a project has. */
interface TabbedProject {
  readonly fullPath: string;
  readonly defaultBranch: string | null;
  readonly issuesEnabled: boolean;
  readonly mergeRequestsEnabled: boolean;
  readonly jobsEnabled: boolean;
  readonly wikiEnabled: boolean;
  readonly snippetsEnabled: boolean;
  readonly access: {
    readonly canReadCode: boolean;
    readonly canSeePipelines: boolean;
    readonly canSeeSchedules: boolean;
    readonly canSeeEnvironments: boolean;
    readonly canEdit: boolean;
  };
}

interface Tab {
  /** The segment after the project's path. */
  readonly word: string;
  readonly name: string;
  readonly isShown: boolean;
}

interface TabGroup extends Tab {
  readonly icon: IconName;
  /** The pages of a second row, the tab's own first. */
  readonly tabs?: readonly Tab[];
}

const shown = (word: string, name: string, isShown = true): Tab => ({ word, name, isShown });

/** The tabs of a project that the user may see. */
function tabsOf(project: TabbedProject): readonly TabGroup[] {
  const { access } = project;
  const hasCode = access.canReadCode && project.defaultBranch !== null;
  const code = [
    shown('tree', 'Files'),
    shown('commits', 'Commits'),
    shown('branches', 'Branches'),
    shown('tags', 'Tags'),
    shown('compare', 'Compare'),
  ];
  const planning = [
    shown('issues', 'List'),
    shown('boards', 'Boards'),
    shown('labels', 'Labels'),
    shown('milestones', 'Milestones'),
  ];
  const ci = [
    shown('pipelines', 'Pipelines'),
    shown('jobs', 'Jobs'),
    shown('pipeline_schedules', 'Schedules', access.canSeeSchedules),
    shown('environments', 'Environments', access.canSeeEnvironments),
  ];
  const settings = [
    shown('edit', 'General', access.canEdit),
    shown('project_members', 'Members', access.canEdit),
    shown('settings/repository', 'Repository', access.canEdit),
    shown('settings/ci_cd', 'CI/CD', access.canEdit),
    shown('hooks', 'Webhooks', access.canEdit),
  ];
  return [
    { ...shown('', 'Project'), icon: 'repo' },
    { ...shown('tree', 'Code', hasCode), icon: 'code', tabs: code },
    {
      ...shown('issues', 'Issues', project.issuesEnabled),
      icon: 'issue-opened',
      tabs: planning,
    },
    {
      ...shown(
        'merge_requests',
        'Merge requests',
        project.mergeRequestsEnabled && access.canReadCode,
      ),
      icon: 'git-pull-request',
    },
    {
      ...shown('pipelines', 'Pipelines', project.jobsEnabled && access.canSeePipelines),
      icon: 'workflow',
      tabs: ci,
    },
    { ...shown('releases', 'Releases', hasCode), icon: 'rocket' },
    { ...shown('wikis', 'Wiki', project.wikiEnabled), icon: 'book' },
    { ...shown('snippets', 'Snippets', project.snippetsEnabled), icon: 'file-code' },
    { ...shown('project_members', 'Members', !access.canEdit), icon: 'people' },
    { ...shown('edit', 'Settings', access.canEdit), icon: 'gear', tabs: settings },
  ];
}

/** Pages that always have a ref in their address. */
const withRef = new Set(['tree', 'commits']);

/** The tabs of a project, and the second row below the current one; `section` is a tab's word. */
export function projectTabs(visit: Visit, project: TabbedProject, section: string): Html {
  const groups = tabsOf(project).filter(({ isShown }) => isShown);
  const current =
    groups.find(({ tabs }) => tabs?.some(({ word }) => word === section)) ??
    groups.find(({ word }) => word === section);
  const address = (word: string) =>
    addressIn(visit, project, word, withRef.has(word) ? (project.defaultBranch ?? '') : '');
  const second = current?.tabs?.filter(({ isShown }) => isShown) ?? [];
  return html`<nav class="tabs" aria-label="Project"><ul>${groups.map(
    (group) =>
      html`<li><a href="${address(group.word)}"${group === current && html` aria-current="${group.word === section ? 'page' : 'true'}"`}>${icon(group.icon)}${group.name}</a></li>`,
  )}</ul></nav>${
    second.length > 0 &&
    html`
<nav class="subtabs" aria-label="${current?.name}"><ul>${second.map(
      ({ word, name }) =>
        html`<li><a href="${address(word)}"${word === section && html` aria-current="page"`}>${name}</a></li>`,
    )}</ul></nav>`
  }`;
}
