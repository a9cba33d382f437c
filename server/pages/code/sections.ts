import { showCompare } from '../compare/compare.ts';
import { showDiffLines } from '../diffs/diff-lines.ts';
import type { ProjectSection } from '../frame/sections.ts';
import { showBlob } from './blob.ts';
import { showBranches } from './branches.ts';
import { showCommit, submitCommit } from './commit.ts';
import { showCommits } from './commits.ts';
import { sendFile } from './raw.ts';
import { showTags } from './tags.ts';
import { showTree } from './tree.ts';

export const codeSections: readonly ProjectSection[] = [
  { word: 'tree', show: showTree },
  { word: 'blob', show: showBlob },
  { word: 'raw', show: sendFile },
  { word: 'commits', show: showCommits },
  { word: 'commit', show: showCommit, submit: submitCommit },
  { word: 'compare', show: showCompare },
  { word: 'diff_lines', show: showDiffLines },
  { word: 'branches', show: showBranches },
  { word: 'tags', show: showTags },
];
