import type { ProjectSection } from '../frame/sections.ts';
import { showIssues, submitToIssues } from './issues.ts';

export const issueSections: readonly ProjectSection[] = [
  { word: 'issues', show: showIssues, submit: submitToIssues },
];
