import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { showDiscussionPart, submitToDiscussion } from '../discussions/parts.ts';
import type { Project } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { submitMergeRequestAction } from './actions.ts';
import { sendChanges, showChangesTab, submitLineComment } from './changes-tab.ts';
import { createFromForm } from './create.ts';
import { showDiscussion } from './discussion-tab.ts';
import { showEdit, submitEdit } from './edit.ts';
import { showList } from './list.ts';
import { showNew } from './new.ts';
import { placeOf } from './place.ts';
import { showCommitsTab, showPipelinesTab } from './tabs.ts';
import { showVersion } from './versions.ts';

type Part = (visit: Visit, project: Project, iid: number) => Promise<Answer>;

const parts: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['', showDiscussion],
  ['commits', showCommitsTab],
  ['pipelines', showPipelinesTab],
  ['diffs', showChangesTab],
  ['edit', showEdit],
]);

/** The merge requests of a project, the form for a new one, or one by its iid with its parts: `1/diffs`, `1.diff`. */
export const showMergeRequests: ProjectPage = async (visit, project, rest) => {
  if (rest === '') return showList(visit, project);
  if (rest === 'new') return showNew(visit, project);
  if (rest.endsWith('.diff')) return sendChanges(visit, project, numberIn(rest.slice(0, -5)));
  const [number, part] = splitFirst(rest);
  const iid = numberIn(number);
  const show = parts.get(part);
  if (show) return show(visit, project, iid);
  const [word, version] = splitFirst(part);
  if (word === 'versions') return showVersion(visit, project, iid, numberIn(version));
  const { place, below } = discussionAt(visit, project, iid, part);
  const shown = await showDiscussionPart(visit, place, below);
  if (!shown) throw pathNotFound();
  return shown;
};

/** The forms of merge requests. */
export const submitMergeRequests: ProjectPage = async (visit, project, rest): Promise<Answer> => {
  if (rest === '') return createFromForm(visit, project, rest);
  const [number, action] = splitFirst(rest);
  const iid = numberIn(number);
  if (action === 'edit') return submitEdit(visit, project, iid);
  if (action === 'diffs/comments') return submitLineComment(visit, project, iid);
  const { place, below } = discussionAt(visit, project, iid, action);
  const submitted = await submitToDiscussion(visit, place, below);
  if (submitted) return submitted;
  return submitMergeRequestAction(visit, project, { iid, action }, (fault) =>
    showDiscussion(visit, project, iid, { part: action, fault }),
  );
};

/** The discussion that an address is below: that of the changes, or of the merge request. */
function discussionAt(visit: Visit, project: Project, iid: number, rest: string) {
  const [first, after] = splitFirst(rest);
  return first === 'diffs'
    ? { place: placeOf(visit, project, iid, 'diffs'), below: after }
    : { place: placeOf(visit, project, iid), below: rest };
}
