import { expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { auditedMutations, signInMutations } from '../../schema/kernel/audited-mutations.ts';

/** Work on projects, of which activity events and git keep a record; passwords, which record themselves. */
const ordinary = `
  createBrowserSession createSession createEnvironment deleteEnvironment stopEnvironment updateEnvironment
  approveMergeRequest unapproveMergeRequest
  acceptMergeRequest addIssueSpentTime addMergeRequestSpentTime appendTrace cancelAutomaticMerge cancelJob
  cancelPipeline cherryPickCommit createAwardEmoji createBoardList createBranch createCommit createCommitComment
  createCommitDiscussion createDiscussion deleteCommitComment replyToCommitDiscussion replyToDiscussion
  resolveDiscussion
  createFile createForkRelation createIssue createIssueTodo createMergeRequestPipeline createMergeRequestTodo markTodoDone markTodosDone
  createLabel createMergeRequest createMilestone createNote
  createOauthToken createPipeline createRelease createReleaseLink createSnippet createTag createUpload createWikiPage
  deleteAwardEmoji deleteBoardList deleteBranch deleteFile deleteIssue
  deleteLabel deleteMergeRequest deleteMergedBranches deleteMilestone deleteNote deleteRelease deleteReleaseLink
  deleteSnippet deleteTag
  deleteWikiPage housekeepProject keepArtifacts leaveArtifacts
  moveBoardList moveIssue playJob rebaseMergeRequest reportJob requestAccess requestJob resendHookDelivery
  resetIssueSpentTime resetMergeRequestSpentTime retryJob retryPipeline runPipelineSchedule runTrigger
  revertCommit setCommitStatus setIssueTimeEstimate setMergeRequestTimeEstimate starProject startTwoFactor subscribeToIssue
  subscribeToLabel subscribeToMergeRequest testHook testProjectHook unstarProject unsubscribeFromIssue
  unsubscribeFromLabel unsubscribeFromMergeRequest updateFile updateIssue updateLabel updateMergeRef updateMergeRequest
  updateCommitComment updateMilestone updateNote overrideNotificationSettings updateRelease updateReleaseLink updateSnippet updateWikiPage`
  .trim()
  .split(/\s+/);

test('every mutation is audited, or is ordinary work', () => {
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
  const listed = [...Object.keys(auditedMutations), ...signInMutations, ...ordinary];
  expect(listed.toSorted()).toEqual(mutations.toSorted());
});

test('the texts that events keep are arguments', () => {
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const [name, { keeps = [] }] of Object.entries(auditedMutations)) {
    const given = fields[name]?.args.map((argument) => argument.name) ?? [];
    for (const path of keeps) expect(given, name).toContain(path.split('.')[0]);
  }
});
