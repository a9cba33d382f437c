import type { ProjectSection } from '../frame/sections.ts';
import { showArchive, showNamedArchive } from './archive.ts';
import { showBlame } from './blame.ts';
import { showBlob } from './blob.ts';
import { showBranches, submitBranches } from './branches.ts';
import { showCommits } from './commits.ts';
import { findFile } from './find-file.ts';
import { sendFile } from './raw.ts';
import { showRefs } from './refs.ts';
import { showTags, submitTags } from './tags.ts';
import { showTree } from './tree.ts';

export const codeSections: readonly ProjectSection[] = [
  { word: 'tree', show: showTree },
  { word: 'blob', show: showBlob },
  { word: 'raw', show: sendFile },
  { word: 'blame', show: showBlame },
  { word: 'find_file', show: findFile },
  { word: 'refs', show: showRefs },
  { word: 'repository', show: showArchive },
  { word: 'archive', show: showNamedArchive },
  { word: 'commits', show: showCommits },
  { word: 'branches', show: showBranches, submit: submitBranches },
  { word: 'tags', show: showTags, submit: submitTags },
];
