import { graphql } from '../../../schema/client/graphql.ts';
import { forbidden } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, otherFaults } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import { signInAddress } from '../kernel/return-to.ts';
import {
  type ReleaseFields,
  releaseControls,
  shownFaults,
  submittedRelease,
} from './release-form.ts';

const create = graphql(`
  mutation CreateShownRelease(
    $project: ID!, $tagName: String!, $ref: String!, $name: String, $description: String!
  ) {
    createRelease(
      project: $project, tagName: $tagName, ref: $ref, name: $name, description: $description
    ) { tagName }
  }
`);

interface NewRelease extends ReleaseFields {
  readonly tagName: string;
  readonly ref: string;
}

/** The form of a new release; `?tag_name=` fills in the tag. */
export const showNew: ProjectPage = (visit, project) => {
  if (!visit.viewer) return { redirect: signInAddress(visit) };
  if (!project.access.canPush) throw forbidden();
  const tagName = visit.query.tag_name ?? '';
  const ref = project.defaultBranch ?? '';
  return page(visit, project, { tagName, ref, name: '', description: '' });
};

export const submitNew: ProjectPage = (visit, project) => {
  const { form } = visit;
  const release = {
    ...submittedRelease(visit),
    tagName: form.tag_name?.trim() ?? '',
    ref: form.ref?.trim() || (project.defaultBranch ?? 'HEAD'),
  };
  return orFault(
    visit,
    async () => {
      const { createRelease } = await visit.ask(create, {
        ...release,
        project: String(project.id),
        name: release.name || null,
      });
      return { redirect: addressIn(visit, project, 'releases', createRelease.tagName) };
    },
    (fault) => page(visit, project, release, fault),
  );
};

function page(
  visit: Visit,
  project: Project,
  release: NewRelease,
  fault: Fault | null = null,
): Answer {
  const faults = fault?.fields ?? {};
  const shown = [...shownFaults, 'tag_name', 'ref'];
  const cancel = addressIn(visit, project, 'releases');
  const controls = html`${alert(fault && (fault.text ?? otherFaults(faults, shown)))}
${field({
  name: 'tag_name',
  label: 'Tag',
  value: release.tagName,
  isRequired: true,
  hint: 'An existing tag, or the name of a new one.',
  fault: faultText(faults, 'tag_name', 'Tag'),
})}
${field({
  name: 'ref',
  label: 'Create the tag from',
  value: release.ref,
  hint: 'A branch or commit; it is not used if the tag exists.',
  fault: faultText(faults, 'ref', 'Branch or commit'),
})}
${releaseControls(visit, project, release, fault)}`;
  const main = html`<h1>New release</h1>
${formOf(visit, { address: cancel, submit: 'Create release', cancel }, controls)}`;
  const status = fault?.status ?? 200;
  return { ...projectPage(visit, project, 'releases', 'New release', main), status };
}
