import { pathNotFound } from '../../../schema/kernel/errors.ts';
import type { ProjectPage, ProjectSection } from '../frame/sections.ts';
import { submitDelete } from './delete.ts';
import { showEdit, submitEdit } from './edit.ts';
import { submitLink, submitLinkDelete } from './links.ts';
import { showNew, submitNew } from './new.ts';
import { showRelease, showReleases } from './releases.ts';

/** The forms of one release by the end of their addresses; tags may have slashes. */
const forms: readonly (readonly [end: string, submit: ProjectPage])[] = [
  ['/links/delete', submitLinkDelete],
  ['/links', submitLink],
  ['/edit', submitEdit],
  ['/delete', submitDelete],
];

const show: ProjectPage = (visit, project, rest) => {
  if (rest === '') return showReleases(visit, project, rest);
  if (rest === 'new') return showNew(visit, project, rest);
  return rest.endsWith('/edit')
    ? showEdit(visit, project, rest.slice(0, -'/edit'.length))
    : showRelease(visit, project, rest);
};

const submit: ProjectPage = (visit, project, rest) => {
  if (rest === '') return submitNew(visit, project, rest);
  const [end, submitForm] = forms.find(([ending]) => rest.endsWith(ending)) ?? [];
  if (end === undefined || !submitForm) throw pathNotFound();
  return submitForm(visit, project, rest.slice(0, -end.length));
};

export const releaseSections: readonly ProjectSection[] = [{ word: 'releases', show, submit }];
