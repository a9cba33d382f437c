import { commentForm } from '../discussions/comment-form.ts';
import { noThreads, sourceOf, threadsMarkup } from '../discussions/discussion.ts';
import { type DiscussionPlace, discussionPage, threadsPerPage } from '../discussions/place.ts';
import { type Html, html } from '../kernel/html.ts';
import { pager } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { signInAddress } from '../kernel/return-to.ts';

/** The comments on a commit, without those that stand below lines: `onLines` has their keys. */
export async function commitDiscussion(
  visit: Visit,
  place: DiscussionPlace,
  onLines: ReadonlySet<string>,
): Promise<Html> {
  const head = html`<h2 id="notes">Discussion</h2>`;
  if (!visit.viewer) {
    return html`<section aria-labelledby="notes">${head}
<p class="quiet"><a href="${signInAddress(visit)}">Sign in</a> to read the discussion.</p></section>`;
  }
  const page = discussionPage(visit);
  const listed = await sourceOf(place.subject).list(visit, page);
  const others = listed.threads.filter(({ key }) => !onLines.has(key));
  return html`<section class="discussion" aria-labelledby="notes">${head}
${noThreads(listed)}
${await threadsMarkup(visit, place, others, true)}
${pager({ address: place.address, page, total: listed.total, size: threadsPerPage })}
${commentForm(visit, place, { canComment: true })}</section>`;
}
