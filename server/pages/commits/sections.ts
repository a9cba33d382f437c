import type { ProjectSection } from '../frame/sections.ts';
import { showCommit, submitCommit } from './commit.ts';

export const commitSections: readonly ProjectSection[] = [
  { word: 'commit', show: showCommit, submit: submitCommit },
];
