import { addressIn } from '../frame/address-in.ts';
import { markdownField } from '../kernel/forms.ts';
import { type Html, html, type Shown } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { signInAddress } from '../kernel/return-to.ts';
import { type DiscussionPlace, discussionPage } from './place.ts';

interface TextForm {
  /** Where the form is sent. */
  readonly address: string;
  /** Different from the ids of other fields on the page. */
  readonly id: string;
  readonly label: string;
  readonly body?: string;
  readonly fault?: string | null;
  readonly rows?: number;
  readonly buttons: Shown;
}

/** A form for the text of a note. */
export function textForm(visit: Visit, { project }: DiscussionPlace, form: TextForm): Html {
  const { address, id, label, body = '', fault = null, rows = 5, buttons } = form;
  const page = discussionPage(visit);
  const area = markdownField({
    name: 'body',
    id,
    label,
    value: body,
    fault,
    rows,
    isRequired: true,
    projectAddress: addressIn(visit, project),
  });
  return html`<form method="post" action="${address}" class="comment">${visit.formToken}${
    page > 1 && html`<input type="hidden" name="page" value="${page}">`
  }
${area}
<p class="row">${buttons}</p>
</form>`;
}

/** What a comment can do besides: close or reopen the issue or merge request. */
export type StateEvent = 'close' | 'reopen';

interface CommentForm {
  readonly canComment: boolean;
  /** The change of state that the user may make. */
  readonly stateEvent?: StateEvent | null;
}

/** The form below a discussion, or the reason why there is none. */
export function commentForm(
  visit: Visit,
  place: DiscussionPlace,
  { canComment, stateEvent = null }: CommentForm,
): Html {
  if (!visit.viewer) {
    return html`<p class="quiet"><a href="${signInAddress(visit)}">Sign in</a> to comment.</p>`;
  }
  if (!canComment) {
    return html`<p class="quiet">This discussion is locked. Only members of the project can comment.</p>`;
  }
  return textForm(visit, place, {
    address: `${place.address}/notes`,
    id: 'new-note',
    label: 'Write a comment',
    buttons: html`<button>Comment</button>${
      !('commit' in place.subject) &&
      html`<button class="secondary" name="kind" value="thread" title="A thread can have replies">Start thread</button>`
    }${
      stateEvent &&
      html`<button class="secondary" name="state_event" value="${stateEvent}" formnovalidate>${
        stateEvent === 'close' ? 'Comment and close' : 'Comment and reopen'
      }</button>`
    }`,
  });
}
