import { pathNotFound } from '../../../schema/kernel/errors.ts';
import type { ProjectPage, ProjectSection } from '../frame/sections.ts';
import { showEditPage, submitDeletePage, submitEditPage } from './edit.ts';
import { showWikiHistory } from './history.ts';
import { showNewPage, submitNewPage } from './new.ts';
import { showWikiChange, showWikiVersion } from './version.ts';
import { showWiki } from './wiki.ts';

const show: ProjectPage = (visit, project, rest) => {
  if (rest === 'new') return showNewPage(visit, project, rest);
  return rest.endsWith('/edit')
    ? showEditPage(visit, project, rest.slice(0, -'/edit'.length))
    : showWiki(visit, project, rest);
};

const submit: ProjectPage = (visit, project, rest) => {
  if (rest === '') return submitNewPage(visit, project, rest);
  if (rest.endsWith('/edit')) {
    return submitEditPage(visit, project, rest.slice(0, -'/edit'.length));
  }
  if (!rest.endsWith('/delete')) throw pathNotFound();
  return submitDeletePage(visit, project, rest.slice(0, -'/delete'.length));
};

export const wikiSections: readonly ProjectSection[] = [
  { word: 'wikis', show, submit },
  // words of their own: pages may have any name, for example "guides/history"
  { word: 'wiki_history', show: showWikiHistory },
  { word: 'wiki_versions', show: showWikiVersion },
  { word: 'wiki_changes', show: showWikiChange },
];
