import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { largestShown, textOf } from '../code/content.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { parentOf } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, otherFaults, textArea } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
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

const lastCommit = graphql(`
  query LastCommitOfFile($project: ID!, $ref: String!, $path: String!) {
    repository(project: $project) { file(ref: $ref, path: $path) { lastCommitSha } }
  }
`);

const change = graphql(`
  mutation EditFile($project: ID!, $commit: CommitInput!, $actions: [CommitActionInput!]!) {
    createCommit(project: $project, commit: $commit, actions: $actions) { id }
  }
`);

interface FileFields {
  readonly path: string;
  readonly content: string;
  /** The commit that the form was made from; another one since is a conflict. */
  readonly lastCommitSha: string | null;
}

/** Creates a file: `/new/<branch>/<folder>`. */
export const showNewFile: ProjectPage = async (visit, project, rest) => {
  const place = await placeOf(visit, project, rest);
  const folder = place.path === '' ? '' : `${place.path}/`;
  const path = visit.query.file_name ? `${folder}${visit.query.file_name}` : folder;
  const file = { path, content: '', lastCommitSha: null };
  return page(visit, project, place, { file, commit: proposedCommit(visit, place, '') });
};

/** Changes a file: `/edit/<branch>/<path>`. */
export const showEditFile: ProjectPage = async (visit, project, rest) => {
  const place = await placeOf(visit, project, rest);
  const { location } = place;
  if (location?.entry?.type !== 'blob' || location.size === null) throw pathNotFound();
  const { entry, path, size, commitId } = location;
  const text = size > largestShown ? null : await textOf(visit, project, { sha: entry.id, size });
  if (text === null) {
    const back = addressIn(visit, project, 'blob', place.branch, path);
    const main = html`<h1>Edit ${path}</h1>
<p class="warning">Only text files of up to 1 MiB can be edited here. <a href="${back}">Back to the file</a></p>`;
    return projectPage(visit, project, 'tree', `Edit ${path}`, main);
  }
  const variables = { project: String(project.id), ref: commitId, path };
  const { file } = (await visit.ask(lastCommit, variables)).repository;
  return page(visit, project, place, {
    file: { path, content: text, lastCommitSha: file.lastCommitSha },
    commit: proposedCommit(visit, place, `Update ${entry.name}`),
  });
};

export const submitNewFile: ProjectPage = async (visit, project, rest) =>
  submit(visit, project, await placeOf(visit, project, rest), null);

export const submitEditFile: ProjectPage = async (visit, project, rest) => {
  const place = await placeOf(visit, project, rest);
  if (place.location?.entry?.type !== 'blob') throw pathNotFound();
  return submit(visit, project, place, place.path);
};

function submit(
  visit: Visit,
  project: Project,
  place: EditedPlace,
  previousPath: string | null,
): Promise<Answer> {
  const { form } = visit;
  const path = form.file_path?.trim() ?? '';
  const file = {
    path,
    content: withLineEnds(form.content ?? '', form.line_ends),
    lastCommitSha: form.last_commit_sha || null,
  };
  const commit = submittedCommit(visit);
  const isMoved = previousPath !== null && previousPath !== path;
  const action = previousPath === null ? 'create' : isMoved ? 'move' : 'update';
  const proposed = `${previousPath === null ? 'Add' : 'Update'} ${path}`;
  return orFault(
    visit,
    async () => {
      await visit.ask(change, {
        project: String(project.id),
        commit: commitInput(commit, place, proposed),
        actions: [
          {
            action,
            path,
            previousPath: isMoved ? previousPath : null,
            content: file.content,
            lastCommitSha: previousPath === null ? null : file.lastCommitSha,
          },
        ],
      });
      return afterCommit(visit, project, place, { ...commit, path: ['blob', path] });
    },
    (fault) => page(visit, project, place, { file, commit, fault }),
  );
}

/** Browsers send line ends as CR LF; a file keeps those it had. */
const withLineEnds = (text: string, lineEnds: string | undefined): string =>
  lineEnds === 'crlf' ? text.replace(/\r?\n/g, '\r\n') : text.replace(/\r\n/g, '\n');

interface Shown {
  readonly file: FileFields;
  readonly commit: CommitFields;
  readonly fault?: Fault;
}

function page(visit: Visit, project: Project, place: EditedPlace, { file, commit, fault }: Shown) {
  const isNew = file.lastCommitSha === null && place.location?.entry?.type !== 'blob';
  const word = isNew ? 'new' : 'edit';
  const title = isNew ? 'New file' : `Edit ${place.path}`;
  const faults = fault?.fields ?? {};
  const shown = ['file_path', 'content', 'commit_message', 'branch', 'branch_name'];
  const folder = isNew ? place.path : parentOf(place.path);
  const cancel = isNew
    ? addressIn(visit, project, 'tree', place.branch, folder)
    : addressIn(visit, project, 'blob', place.branch, place.path);
  const controls = html`${alert(fault?.text ?? otherFaults(faults, shown))}
${field({
  name: 'file_path',
  label: 'Path',
  value: file.path,
  isRequired: true,
  fault: faultText(faults, 'file_path', 'Path'),
})}
<input type="hidden" name="last_commit_sha" value="${file.lastCommitSha ?? ''}">
<input type="hidden" name="line_ends" value="${file.content.includes('\r\n') ? 'crlf' : 'lf'}">
${textArea({
  name: 'content',
  label: 'Content',
  value: file.content,
  rows: 24,
  isCode: true,
  fault: faultText(faults, 'content', 'Content'),
})}
${commitControls(place, commit, fault ?? null)}`;
  const main = html`<h1>${title}</h1>
${formOf(
  visit,
  {
    address: addressIn(visit, project, word, place.branch, place.path),
    submit: 'Commit changes',
    cancel,
    className: 'wide-form',
  },
  controls,
)}`;
  return { ...projectPage(visit, project, 'tree', title, main), status: fault?.status ?? 200 };
}
