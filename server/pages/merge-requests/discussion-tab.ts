import { graphql } from '../../../schema/client/graphql.ts';
import { discussionOf } from '../discussions/discussion.ts';
import type { Project } from '../frame/project-head.ts';
import type { FailedPart } from '../issuables/beside.ts';
import { namedFields } from '../issuables/choice-fields.ts';
import { otherFaults } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';
import { textLinking } from '../markdown/linking.ts';
import { markdown } from '../markdown/markdown.ts';
import { headFields, type MergeBox, mergeFields, sidebarFields } from './fields.ts';
import { mergeRequestPage } from './head.ts';
import { mergeBox } from './merge-box.ts';
import { placeOf } from './place.ts';
import { sidebar } from './sidebar.ts';

const mergeRequestDocument = graphql(
  `query BrowsedMergeRequest($project: ID!, $iid: Int!) {
    mergeRequest(project: $project, iid: $iid) {
      description canComment ...MergeRequestHeadFields ...MergeBoxFields ...MergeRequestSidebarFields
    }
  }`,
  [headFields, mergeFields, sidebarFields],
);

/** The description, the box that merges, and the discussion; with the errors of a form. */
export async function showDiscussion(
  visit: Visit,
  project: Project,
  iid: number,
  failed: FailedPart | null = null,
): Promise<Answer> {
  const place = { project: String(project.id), iid };
  const { mergeRequest } = await visit.ask(mergeRequestDocument, place);
  const { description } = mergeRequest;
  const stateEvent = stateEventOf(mergeRequest);
  const text = description
    ? await markdown(visit, description, textLinking(visit, project))
    : html`<p class="quiet">There is no description.</p>`;
  const [box, discussion, beside] = await Promise.all([
    mergeBox(visit, project, mergeRequest, failed?.part === 'merge' ? visit.form : {}),
    discussionOf(visit, placeOf(visit, project, iid), {
      canComment: mergeRequest.canComment,
      stateEvent,
    }),
    sidebar(visit, project, mergeRequest, failed),
  ]);
  const content = html`<div class="columns"><div>
${failed && alert(failed.fault.text ?? otherFaults(failed.fault.fields, namedFields))}
<section aria-label="Description">${text}</section>
${box}
${discussion}
</div>
${beside}</div>`;
  const page = mergeRequestPage(visit, project, mergeRequest, '', content);
  return { ...page, status: failed?.fault.status ?? 200 };
}

/** The change of state that the user may make with a comment. */
const stateEventOf = ({ canUpdate, state }: Pick<MergeBox, 'canUpdate' | 'state'>) => {
  if (!canUpdate || (state !== 'opened' && state !== 'closed')) return null;
  return state === 'opened' ? ('close' as const) : ('reopen' as const);
};
