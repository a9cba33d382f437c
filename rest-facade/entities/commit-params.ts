import { z } from 'zod';
import { p } from '../kernel/params.ts';

/**
 * The parameters of every commit of file changes (v4-behaviour 3.7); `branch_name` is the v3 name.
 */
export const commitParams = {
  branch: p.text({ isFilled: true, longest: 1024 }).optional(),
  branch_name: p.text({ isFilled: true, longest: 1024 }).optional(),
  start_branch: p.text({ longest: 1024 }).optional(),
  commit_message: p.text(),
  author_email: p.text({ longest: 1024 }).optional(),
  author_name: p.text({ longest: 1024 }).optional(),
};

export const encoding = p.choice(['text', 'base64']).optional();

const commit = z.object(commitParams);

type Given = z.output<typeof commit>;

/** Validation ensures that one of the two is given. */
export const branchOf = ({ branch, branch_name }: Pick<Given, 'branch' | 'branch_name'>): string =>
  branch ?? branch_name ?? '';

/** The parameters, those of the commit as the `CommitInput` of the core. */
export const withCommitInput = <Params extends Given>({
  branch,
  branch_name,
  start_branch: startBranch,
  commit_message: message,
  author_name: authorName,
  author_email: authorEmail,
  ...params
}: Params) => ({
  ...params,
  commit: {
    branch: branchOf({ branch, branch_name }),
    startBranch,
    message,
    authorName,
    authorEmail,
  },
});
