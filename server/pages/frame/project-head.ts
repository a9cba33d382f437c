import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { encoded } from '../kernel/encoded.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, ShownPage, Visit } from '../kernel/page.ts';

/** The project's fields that each of its pages needs. */
export const projectHeadFields = graphql(`
  fragment ProjectHeadFields on Project {
    id name fullPath visibility description defaultBranch isArchived importStatus httpUrlToRepo
    issuesEnabled mergeRequestsEnabled wikiEnabled snippetsEnabled jobsEnabled
    ciConfigPath
    forkedFrom { fullPath fullName }
    access { canReadCode canSeePipelines }
  }
`);

export type Project = ResultOf<typeof projectHeadFields>;

/** A page below a project's address; `rest` is the path after the page's segment. */
export type ProjectPage = (
  visit: Visit,
  project: Project,
  rest: string,
) => Promise<Answer> | Answer;

/** An address in a project: `addressIn(visit, project, 'tree', 'master', 'lib')`. */
export const addressIn = (
  visit: Visit,
  { fullPath }: { readonly fullPath: string },
  ...parts: readonly string[]
): string => visit.url(`/${encoded([fullPath, ...parts.filter(Boolean)].join('/'))}`);

/** The tabs of a project that the user may see. */
function sectionsOf(project: Project): readonly (readonly [string, string])[] {
  const ref = project.defaultBranch;
  const hasCode = project.access.canReadCode && ref !== null;
  const sections: readonly (readonly [string, string, boolean])[] = [
    ['', 'Project', true],
    ['tree', 'Files', hasCode],
    ['commits', 'Commits', hasCode],
    ['branches', 'Branches', hasCode],
    ['tags', 'Tags', hasCode],
    ['issues', 'Issues', project.issuesEnabled],
    [
      'merge_requests',
      'Merge requests',
      project.mergeRequestsEnabled && project.access.canReadCode,
    ],
    ['pipelines', 'Pipelines', project.jobsEnabled && project.access.canSeePipelines],
    ['wikis', 'Wiki', project.wikiEnabled],
    ['snippets', 'Snippets', project.snippetsEnabled],
  ];
  return sections.flatMap(([word, name, isShown]) => (isShown ? [[word, name] as const] : []));
}

/** The head of every project page: breadcrumb and tabs; `section` is the current tab. */
export function projectHead(visit: Visit, project: Project, section: string): Html {
  const link = ([word, name]: readonly [string, string]) => {
    const isRef = word === 'tree' || word === 'commits';
    const address = addressIn(visit, project, word, isRef ? (project.defaultBranch ?? '') : '');
    return html`<li><a href="${address}"${word === section && html` aria-current="page"`}>${name}</a></li>`;
  };
  return html`${trail(visit, project.fullPath)}
<nav class="tabs" aria-label="Project"><ul>${sectionsOf(project).map(link)}</ul></nav>`;
}

/** A page of a project below its head. */
export const projectPage = (
  visit: Visit,
  project: Project,
  section: string,
  title: string,
  main: Html,
): ShownPage => ({
  title: `${title} · ${project.fullPath}`,
  main: html`${projectHead(visit, project, section)}
${main}`,
});

/** The breadcrumb of a full path. */
export function trail(visit: Visit, fullPath: string): Html {
  const parts = fullPath.split('/');
  const steps = parts.map((name, place) => {
    const address = visit.url(`/${encoded(parts.slice(0, place + 1).join('/'))}`);
    return html`<li><a href="${address}">${name}</a></li>`;
  });
  return html`<nav class="trail" aria-label="Breadcrumb"><ol>${steps}</ol></nav>`;
}
