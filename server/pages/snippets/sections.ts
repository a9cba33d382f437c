import type { ProjectSection } from '../frame/sections.ts';
import { showSnippets } from './snippets.ts';

export const snippetSections: readonly ProjectSection[] = [
  { word: 'snippets', show: showSnippets },
];
