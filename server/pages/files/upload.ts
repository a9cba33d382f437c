import { readFile } from 'node:fs/promises';
import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { fileField, formOf, otherFaults } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import { bytes } from '../kernel/listing.ts';
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

const upload = graphql(`
  mutation UploadFile($project: ID!, $path: String!, $content: String!, $commit: CommitInput!) {
    createFile(
      project: $project, path: $path, content: $content, encoding: base64, commit: $commit
    ) { id }
  }
`);

/** Bytes: a commit is made in memory. Larger files are pushed, or stored with Git LFS. */
const largest = 10 * 1024 * 1024;

/** Commits a file of the user's machine to a folder: `/upload/<branch>/<folder>`. */
export const showUploadFile: ProjectPage = async (visit, project, rest) => {
  const place = await placeOf(visit, project, rest);
  return page(visit, project, place, proposedCommit(visit, place, ''));
};

export const submitUploadFile: ProjectPage = async (visit, project, rest) => {
  const place = await placeOf(visit, project, rest);
  const commit = submittedCommit(visit);
  const { file } = visit.files;
  const refuse = (text: string) =>
    page(visit, project, place, commit, { status: 422, text: null, fields: { file: [text] } });
  if (!file) return refuse('must be chosen');
  if (file.size > largest) return refuse(`is larger than ${bytes(largest)}`);
  const path = place.path === '' ? file.name : `${place.path}/${file.name}`;
  return orFault(
    visit,
    async () => {
      await visit.ask(upload, {
        project: String(project.id),
        path,
        content: await readFile(file.path, 'base64'),
        commit: commitInput(commit, place, `Add ${file.name}`),
      });
      return afterCommit(visit, project, place, { ...commit, path: ['blob', path] });
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
  const faults = fault?.fields ?? {};
  const shown = ['file', 'commit_message', 'branch', 'branch_name'];
  const controls = html`${alert(fault && (fault.text ?? otherFaults(faults, shown)))}
${fileField({
  name: 'file',
  label: 'File',
  isRequired: true,
  hint: `Up to ${bytes(largest)}.`,
  fault: faultText(faults, 'file', 'File'),
})}
${commitControls(place, commit, fault)}`;
  const main = html`<h1>Upload a file</h1>
<p class="quiet">To ${place.path === '' ? 'the root' : html`<code>${place.path}</code>`} of <code>${place.branch}</code>.</p>
${formOf(
  visit,
  {
    address: addressIn(visit, project, 'upload', place.branch, place.path),
    submit: 'Upload file',
    cancel: addressIn(visit, project, 'tree', place.branch, place.path),
    isMultipart: true,
  },
  controls,
)}`;
  return {
    ...projectPage(visit, project, 'tree', 'Upload a file', main),
    status: fault?.status ?? 200,
  };
}
