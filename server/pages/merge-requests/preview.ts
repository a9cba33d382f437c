import { refusal } from '../../../schema/client/execute.ts';
import { graphql, type VariablesOf } from '../../../schema/client/graphql.ts';
import { commitFields } from '../code/location.ts';
import { type Comparison, compareRefs } from '../compare/comparison.ts';
import { diffFields } from '../diffs/fields.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';
import type { Branches } from './branches-form.ts';

const previewDocument = graphql(
  `query PreviewedMergeRequest(
    $sourceProject: ID!, $sourceBranch: String!, $targetProject: ID!, $targetBranch: String!
  ) {
    mergeRequestPreview(
      sourceProject: $sourceProject, sourceBranch: $sourceBranch
      targetProject: $targetProject, targetBranch: $targetBranch
    ) {
      baseSha headSha
      comparison {
        isTimedOut isSame commits { ...CommitRowFields message } diffs { ...BrowsedDiffFields }
      }
    }
  }`,
  [commitFields, diffFields],
);

type Preview = Pick<Comparison, 'commits' | 'isSame' | 'compared'>;

/** The commits and changes of a new merge request; null if one of the branches does not exist. */
export async function previewOf(
  visit: Visit,
  project: Project,
  destination: Project,
  { source, target }: Branches,
): Promise<Preview | null> {
  if (destination.id === project.id) {
    return compareRefs(visit, project, { from: target, to: source });
  }
  const preview = await askPreview(visit, {
    sourceProject: String(project.id),
    sourceBranch: source,
    targetProject: String(destination.id),
    targetBranch: target,
  });
  if (!preview) return null;
  const { commits, diffs, isSame, isTimedOut } = preview.comparison;
  const { baseSha: oldSha, headSha: newSha } = preview;
  // the fork has the merge base, too: its own comparison shows the same changes
  const address = oldSha
    ? addressIn(visit, project, 'compare', `${oldSha}...${newSha}`)
    : addressIn(visit, project, 'commit', newSha);
  return { commits, isSame, compared: { address, diffs, oldSha, newSha, isCut: isTimedOut } };
}

async function askPreview(visit: Visit, variables: VariablesOf<typeof previewDocument>) {
  try {
    return (await visit.ask(previewDocument, variables)).mergeRequestPreview;
  } catch (error) {
    if (refusal(error)?.reason === 'branches') return null;
    throw error;
  }
}
