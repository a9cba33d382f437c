import { addIssuableFields } from '../issuables/fields.ts';
import { mergeRequestKind } from '../issuables/kinds.ts';
import { findMergeRequest } from './find.ts';
import { reloadMergeRequest } from './reload.ts';
import { changeMergeRequestTime } from './time.ts';
import { isSubscribedToMergeRequest, MergeRequest } from './types.ts';

addIssuableFields({
  kind: mergeRequestKind,
  type: MergeRequest,
  find: findMergeRequest,
  reload: reloadMergeRequest,
  isSubscribed: isSubscribedToMergeRequest,
  changeTime: changeMergeRequestTime,
});
