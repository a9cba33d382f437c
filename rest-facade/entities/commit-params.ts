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

interface Given {
  readonly branch?: string | undefined;
  readonly branch_name?: string | undefined;
  readonly start_branch?: string | undefined;
  readonly commit_message: string;
  readonly author_email?: string | undefined;
  readonly author_name?: string | undefined;
}

/** Validation ensures that one of the two is given. */
export const branchOf = ({ branch, branch_name }: Pick<Given, 'branch' | 'branch_name'>): string =>
  branch ?? branch_name ?? '';

/** The `CommitInput` of the core. */
export const commitInput = (given: Given) => ({
  branch: branchOf(given),
  startBranch: given.start_branch,
  message: given.commit_message,
  authorName: given.author_name,
  authorEmail: given.author_email,
});
