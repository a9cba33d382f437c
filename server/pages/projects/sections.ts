import type { ProjectSection } from '../frame/sections.ts';
import { showEdit, submitEdit } from './edit.ts';
import { showForks, submitFork } from './forks.ts';
import { showProject } from './project.ts';
import { submitStar } from './stars.ts';

export const projectSections: readonly ProjectSection[] = [
  { word: '', show: showProject },
  // `/edit/<branch>/<path>` edits a file
  { word: 'edit', owns: (rest) => !rest.includes('/'), show: showEdit, submit: submitEdit },
  { word: 'star', submit: submitStar(true) },
  { word: 'unstar', submit: submitStar(false) },
  { word: 'forks', show: showForks, submit: submitFork },
];
