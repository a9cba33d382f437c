import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { forbidden } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { formOf, otherFaults } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert, confirmedForm, savedNotice } from '../kernel/parts.ts';
import { signInAddress } from '../kernel/return-to.ts';
import { type EnteredLink, emptyLink, linksOf } from './link-form.ts';
import {
  type ReleaseFields,
  releaseControls,
  shownFaults,
  submittedRelease,
} from './release-form.ts';

const releaseDocument = graphql(`
  query EditedRelease($project: ID!, $tagName: String!) {
    release(project: $project, tagName: $tagName) {
      tagName name description links(perPage: 100) { nodes { id name url type } }
    }
  }
`);

type Release = ResultOf<typeof releaseDocument>['release'];

const change = graphql(`
  mutation ChangeShownRelease(
    $project: ID!, $tagName: String!, $name: String, $description: String!
  ) {
    updateRelease(project: $project, tagName: $tagName, name: $name, description: $description) {
      tagName
    }
  }
`);

/** A release that the user may change. */
async function editedRelease(visit: Visit, project: Project, tagName: string): Promise<Release> {
  const { release } = await visit.ask(releaseDocument, { project: String(project.id), tagName });
  if (!project.access.canPush) throw forbidden();
  return release;
}

/** Changes a release: its title, its notes and its links. */
export const showEdit: ProjectPage = async (visit, project, tagName) => {
  if (!visit.viewer) return { redirect: signInAddress(visit) };
  const release = await editedRelease(visit, project, tagName);
  return editPage(visit, project, release, {});
};

export const submitEdit: ProjectPage = (visit, project, tagName) => {
  const fields = submittedRelease(visit);
  return orFault(
    visit,
    async () => {
      const variables = { ...fields, name: fields.name || null };
      await visit.ask(change, { ...variables, project: String(project.id), tagName });
      return { redirect: addressIn(visit, project, 'releases', tagName) };
    },
    async (fault) =>
      editPage(visit, project, await editedRelease(visit, project, tagName), { fields, fault }),
  );
};

interface Entered {
  readonly fields?: ReleaseFields;
  readonly fault?: Fault;
  readonly link?: EnteredLink;
}

/** The edit page with the errors of a link. */
export const editPageWithLink = async (
  visit: Visit,
  project: Project,
  tagName: string,
  link: EnteredLink,
): Promise<Answer> =>
  editPage(visit, project, await editedRelease(visit, project, tagName), { link });

function editPage(
  visit: Visit,
  project: Project,
  release: Release,
  { fields, fault, link = emptyLink }: Entered,
): Answer {
  const { tagName, name, description, links } = release;
  const address = addressIn(visit, project, 'releases', tagName);
  const shown = fields ?? { name: name === tagName ? '' : name, description };
  const controls = html`${alert(fault ? (fault.text ?? otherFaults(fault.fields, shownFaults)) : null)}
${releaseControls(visit, project, shown, fault ?? null)}`;
  const main = html`<h1>Edit release ${tagName}</h1>
${savedNotice(visit)}
${formOf(visit, { address: `${address}/edit`, submit: 'Save changes', cancel: address }, controls)}
${linksOf(visit, address, links.nodes, link)}
<h2>Delete release</h2>
${confirmedForm(
  visit,
  { address: `${address}/delete`, label: 'Delete release' },
  `The release ${name} and its links are deleted. The tag ${tagName} stays.`,
)}`;
  const status = fault?.status ?? link.fault?.status ?? 200;
  return { ...projectPage(visit, project, 'releases', `Edit ${name}`, main), status };
}
