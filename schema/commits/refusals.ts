import type { ChangeFault } from '../ports/git/commit-writing.ts';

/** The error texts of v4 for changes of the code. */
export const errorTexts = {
  push: 'You are not allowed to push into this branch',
  branch: 'You can only create or edit files when you are on a branch',
  changed: 'You are attempting to update a file that has changed since you started editing it.',
  pick:
    'Sorry, we cannot cherry-pick this commit automatically. It may have already been ' +
    'cherry-picked, or a more recent commit may have updated some of its content.',
  revert:
    'Sorry, we cannot revert this commit automatically. This commit may already have been ' +
    'reverted, or a more recent commit may have updated some of its content.',
} as const;

/** The error texts for single files. */
export const changeFaultTexts: Readonly<Record<ChangeFault, string>> = {
  file: 'A file with this name already exists',
  folder: 'A directory with this name already exists',
  missing: "A file with this name doesn't exist",
  link: 'A symbolic link cannot be edited',
  malformed: 'The content of this file would be refused by git',
  damaged: 'The folder is damaged: it cannot be changed without losing some of its files',
  'too many': 'There are too many changes for one commit',
};
