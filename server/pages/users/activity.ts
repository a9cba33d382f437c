import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Html, html, type Shown } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';

export const activityFields = graphql(
  `fragment ActivityFields on Event {
    action targetType targetId targetIid targetTitle noteableIid createdAt
    author { ...PersonFields }
    project { fullPath fullName }
    push { action refType ref commitCount commitTo commitTitle }
    note { noteableType noteableId }
  }`,
  [personFields],
);

type Activity = ResultOf<typeof activityFields>;

/** Events as sentences with links to what they are about. */
export const activity = (visit: Visit, events: readonly Activity[], none: string): Html =>
  events.length === 0
    ? html`<p class="quiet">${none}</p>`
    : html`<ul class="plain">${events.map((event) => html`<li>${sentence(visit, event)}</li>`)}</ul>`;

function sentence(visit: Visit, event: Activity): Html {
  const { author, action, project, targetType, createdAt } = event;
  const isOfProject = targetType === 'project' || action === 'joined' || action === 'left';
  return html`${person(visit, author)} ${deed(visit, event)}${
    project &&
    html`${!isOfProject && ' in'} <a href="${addressIn(visit, project)}">${project.fullName}</a>`
  } <span class="quiet">${when(createdAt)}</span>`;
}

const verbs: Readonly<Record<Activity['action'], string>> = {
  created: 'opened',
  updated: 'updated',
  closed: 'closed',
  reopened: 'reopened',
  pushed: 'pushed',
  commented: 'commented on',
  merged: 'merged',
  joined: 'joined',
  left: 'left',
  destroyed: 'deleted',
  expired: 'left',
};

function deed(visit: Visit, event: Activity): Shown {
  const { action, push, note, targetType, targetTitle } = event;
  if (push) return pushed(visit, event, push);
  if (targetType === 'project') return action === 'created' ? 'created' : verbs[action];
  const place = placeOf(event, note);
  if (!place) return targetTitle === null ? verbs[action] : `${verbs[action]} ${targetTitle}`;
  const { name, parts } = place;
  const address = event.project ? addressIn(visit, event.project, ...parts) : null;
  return html`${verbs[action]} ${address === null ? name : html`<a href="${address}">${name}</a>`}${
    targetTitle && html` “${targetTitle}”`
  }`;
}

interface Place {
  readonly name: string;
  /** The segments of the address below the project. */
  readonly parts: readonly string[];
}

/** What an event or its comment is about. */
function placeOf(event: Activity, note: Activity['note']): Place | null {
  const type = note ? noteables[note.noteableType] : event.targetType;
  const id = String((note ? note.noteableId : event.targetId) ?? '');
  const iid = String((note ? event.noteableIid : event.targetIid) ?? id);
  switch (type) {
    case 'issue':
      return { name: `issue #${iid}`, parts: ['issues', iid] };
    case 'merge_request':
      return { name: `merge request !${iid}`, parts: ['merge_requests', iid] };
    case 'milestone':
      return { name: 'milestone', parts: ['milestones', iid] };
    case 'snippet':
      return { name: `snippet $${id}`, parts: ['snippets', id] };
    default:
      return null;
  }
}

const noteables = { Issue: 'issue', MergeRequest: 'merge_request', Snippet: 'snippet' } as const;

function pushed(visit: Visit, { project }: Activity, push: NonNullable<Activity['push']>): Html {
  const { action, refType, ref, commitCount, commitTo, commitTitle } = push;
  if (action === 'removed') return html`deleted ${refType} <code>${ref}</code>`;
  const name = project
    ? html`<a href="${addressIn(visit, project, 'commits', ref)}"><code>${ref}</code></a>`
    : html`<code>${ref}</code>`;
  const title =
    commitTitle &&
    html`: ${project && commitTo ? html`<a href="${addressIn(visit, project, 'commit', commitTo)}">${commitTitle}</a>` : commitTitle}`;
  if (action === 'created') return html`created ${refType} ${name}${title}`;
  return html`pushed ${commitCount} ${commitCount === 1 ? 'commit' : 'commits'} to ${name}${title}`;
}
