import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { parentOf } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { formOf, otherFaults } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import {
  afterCommit,
  type CommitFields,
  commitControls,
  commitInput,
  proposedCommit,
  submittedCommit,
} from './commit-form.ts';
import { type EditedPlace, placeOf } from './place.ts';

const remove = graphql(`
  mutation DeleteShownFile($project: ID!, $path: String!, $commit: CommitInput!) {
    deleteFile(project: $project, path: $path, commit: $commit) { id }
  }
`);

async function filePlace(visit: Visit, project: Project, rest: string): Promise<EditedPlace> {
  const place = await placeOf(visit, project, rest);
  if (place.location?.entry?.type !== 'blob') throw pathNotFound();
  return place;
}

/** Deletes a file: `/delete/<branch>/<path>`. */
export const showDeleteFile: ProjectPage = async (visit, project, rest) => {
  const place = await filePlace(visit, project, rest);
  return page(visit, project, place, proposedCommit(visit, place, `Delete ${place.path}`));
};

export const submitDeleteFile: ProjectPage = async (visit, project, rest) => {
  const place = await filePlace(visit, project, rest);
  const commit = submittedCommit(visit);
  return orFault(
    visit,
    async () => {
      await visit.ask(remove, {
        project: String(project.id),
        path: place.path,
        commit: commitInput(commit, place, `Delete ${place.path}`),
      });
      const path = ['tree', parentOf(place.path)];
      return afterCommit(visit, project, place, { ...commit, path });
    },
    (fault) => page(visit, project, place, commit, fault),
  );
};

function page(
  visit: Visit,
  project: Project,
  place: EditedPlace,
  commit: CommitFields,
  fault: Fault | null = null,
) {
  const title = `Delete ${place.path}`;
  const shown = ['commit_message', 'branch', 'branch_name'];
  const main = html`<h1>${title}</h1>
${formOf(
  visit,
  {
    address: addressIn(visit, project, 'delete', place.branch, place.path),
    submit: 'Delete file',
    cancel: addressIn(visit, project, 'blob', place.branch, place.path),
    look: 'danger',
  },
  html`${alert(fault && (fault.text ?? otherFaults(fault.fields, shown)))}${commitControls(place, commit, fault)}`,
)}`;
  return { ...projectPage(visit, project, 'tree', title, main), status: fault?.status ?? 200 };
}
