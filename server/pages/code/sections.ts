import type { ProjectSection } from '../frame/sections.ts';
import { showBlob } from './blob.ts';
import { showBranches } from './branches.ts';
import { showCommits } from './commits.ts';
import { sendFile } from './raw.ts';
import { showTags } from './tags.ts';
import { showTree } from './tree.ts';

export const codeSections: readonly ProjectSection[] = [
  { word: 'tree', show: showTree },
  { word: 'blob', show: showBlob },
  { word: 'raw', show: sendFile },
  { word: 'commits', show: showCommits },
  { word: 'branches', show: showBranches },
  { word: 'tags', show: showTags },
];
