import type { ProjectSection } from '../frame/sections.ts';
import { showDiffLines } from './diff-lines.ts';

export const diffSections: readonly ProjectSection[] = [
  { word: 'diff_lines', show: showDiffLines },
];
