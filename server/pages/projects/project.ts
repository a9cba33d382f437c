import { refusal } from '../../../schema/client/execute.ts';
import { graphql } from '../../../schema/client/graphql.ts';
import { cloneMenu, type ProjectFacts, projectFacts } from '../code/overview.ts';
import { folderFields, folderOf } from '../code/tree.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectHead } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { alert, notice } from '../kernel/parts.ts';
import { textLinking } from '../markdown/linking.ts';
import { markdown } from '../markdown/markdown.ts';
import { accessActions, projectAccessFields } from '../members/own-access.ts';

const own = graphql(
  `query ProjectOverview($project: ID!, $viewer: Int!) {
    project(id: $project) { ...ProjectAccessFields access { importError } }
  }`,
  [projectAccessFields],
);

/** Seconds until the page of an unfinished fork or import is loaded again. */
const waitForImport = 3;

const isUnfinished = ({ importStatus }: Project): boolean =>
  importStatus === 'scheduled' || importStatus === 'started';

const root = graphql(
  `query ProjectRoot($project: ID!, $ref: String!) {
    repository(project: $project) { location(address: $ref) { ...FolderFields } }
  }`,
  [folderFields],
);

/** The overview of a project. */
export const showProject: ProjectPage = async (visit, project) => {
  const { fullPath, description, forkedFrom } = project;
  const variables = { project: String(project.id), viewer: visit.viewer?.id ?? 0 };
  const { access, ...membership } = (await visit.ask(own, variables)).project;
  const { code, facts } = await codeOf(visit, project);
  return {
    title: fullPath,
    ...(isUnfinished(project) && { refreshAfter: waitForImport }),
    main: html`${projectHead(visit, project, '')}
<h1 class="unseen">${fullPath.slice(fullPath.lastIndexOf('/') + 1)}</h1>
${project.importStatus === 'failed' && alert(`The repository could not be copied. ${access.importError ?? ''}`)}
<div class="columns facts-first">
<div>${code}</div>
<aside aria-label="About the project"><section><h2>About</h2>
${description ? await markdown(visit, description, textLinking(visit, project)) : html`<p class="quiet">No description.</p>`}
${forkedFrom && html`<p class="quiet">Forked from <a href="${addressIn(visit, forkedFrom)}">${forkedFrom.fullName}</a></p>`}
${facts?.repository}
${accessActions(visit, membership, addressIn(visit, project, 'project_members'))}</section>
${facts?.languages}</aside>
</div>`,
  };
};

interface Code {
  readonly code: Html;
  /** Null without a repository that the user may read. */
  readonly facts: ProjectFacts | null;
}

async function codeOf(visit: Visit, project: Project): Promise<Code> {
  const without = (code: Html): Code => ({ code, facts: null });
  if (!project.access.canReadCode) {
    return without(html`<p class="quiet">You do not have access to the code of this project.</p>`);
  }
  if (isUnfinished(project)) {
    return without(
      notice('The repository is being copied. This page reloads until it is complete.'),
    );
  }
  const location = await rootOf(visit, project);
  if (!location) return without(howToPush(visit, project));
  const [facts, code] = await Promise.all([
    projectFacts(visit, project),
    folderOf(visit, project, location, cloneMenu(project)),
  ]);
  return { code, facts };
}

/** The root of the default branch; null in an empty repository. */
async function rootOf(visit: Visit, { id, defaultBranch }: Project) {
  if (defaultBranch === null) return null;
  try {
    const variables = { project: String(id), ref: defaultBranch };
    return (await visit.ask(root, variables)).repository.location;
  } catch (error) {
    if (refusal(error)?.code !== 'NOT_FOUND') throw error;
    return null;
  }
}

function howToPush(visit: Visit, project: Project): Html {
  const { httpUrlToRepo } = project;
  return html`<div class="bar"><h2>The repository is empty</h2>${cloneMenu(project)}</div>
<p>Push an existing repository:</p>
<pre tabindex="0">git remote add origin ${httpUrlToRepo}
git push -u origin --all
git push origin --tags</pre>
<p>Or create a new repository:</p>
<pre tabindex="0">git clone ${httpUrlToRepo}
cd ${httpUrlToRepo.slice(httpUrlToRepo.lastIndexOf('/') + 1, -'.git'.length)}
echo '# My project' &gt; README.md
git add README.md
git commit -m 'Add README'
git push -u origin HEAD</pre>${
    project.access.canPush &&
    html`<p>Or <a href="${addressIn(visit, project, 'new', 'master')}">write a file</a> in the browser.</p>`
  }`;
}
