import { addIssuableFields } from '../issuables/fields.ts';
import { issueKind } from '../issuables/kinds.ts';
import { findIssue } from './find.ts';
import { reloadIssue } from './reload.ts';
import { changeIssueTime } from './time.ts';
import { Issue, isSubscribedToIssue } from './types.ts';

addIssuableFields({
  kind: issueKind,
  type: Issue,
  find: findIssue,
  reload: reloadIssue,
  isSubscribed: isSubscribedToIssue,
  changeTime: changeIssueTime,
});
