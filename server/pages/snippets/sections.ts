import type { ProjectSection } from '../frame/sections.ts';
import { showSnippets, submitToSnippets } from './snippets.ts';

export const snippetSections: readonly ProjectSection[] = [
  { word: 'snippets', show: showSnippets, submit: submitToSnippets },
];
