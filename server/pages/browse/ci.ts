import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { type Html, html } from '../html.ts';
import type { ShownPage, Visit } from '../page.ts';
import { addressIn, type Project } from './project-head.ts';

/** How far a pipeline, a job or what a service outside says is, in a word that is coloured. */
export const statusMark = (status: string): Html =>
  html`<span class="badge status ${status}">${status}</span>`;

/** `3725` → `1 h 2 min 5 s`, which stays on one line; whole seconds. */
export function span(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  const told = parts.filter(([amount]) => amount > 0).map((part) => part.join('\u00a0'));
  return told.join('\u00a0') || '0\u00a0s';
}

/** What is asked of a pipeline where it is only named. */
export const pipelineLinkFields = graphql(`
  fragment PipelineLinkFields on Pipeline { id status project { fullPath } }
`);

/** A pipeline by its number and status, leading to its page. */
export function pipelineLink(
  visit: Visit,
  { id, status, project }: ResultOf<typeof pipelineLinkFields>,
): Html {
  const address = addressIn(visit, project, 'pipelines', String(id));
  return html`<a href="${address}">#${id}</a> ${statusMark(status)}`;
}

interface Placed {
  readonly ref: string;
  readonly isTag: boolean;
  readonly sha: string;
}

/** What a pipeline is of, leading there whoever may read the code. */
export function refAndCommit(visit: Visit, project: Project, { ref, isTag, sha }: Placed): Html {
  const [name, short] = [html`${isTag && 'tag '}${ref}`, html`<code>${sha.slice(0, 8)}</code>`];
  if (!project.access.canReadCode) return html`${name} · ${short}`;
  return html`<a href="${addressIn(visit, project, 'commits', ref)}">${name}</a> · <a href="${addressIn(visit, project, 'commit', sha)}">${short}</a>`;
}

const unended: ReadonlySet<string> = new Set(['created', 'pending', 'running']);

/** Whether something more becomes of it by itself. */
export const isGoingOn = (status: string): boolean => unended.has(status);

/** Seconds between one look and the next. */
const pause = 5;

/**
 * A page of what goes on is shown again and again, until somebody stops that; `control` says so and
 * leads to the other way.
 */
export function following(
  visit: Visit,
  address: string,
  status: string,
): Pick<ShownPage, 'refreshAfter'> & { readonly control: Html | null } {
  if (!isGoingOn(status)) return { control: null };
  const { follow, ...query } = visit.query;
  const other = new URLSearchParams(follow === 'no' ? query : { ...query, follow: 'no' });
  const link = other.size === 0 ? address : `${address}?${other}`;
  if (follow === 'no') {
    return {
      control: html`<p class="quiet">It is not over yet. <a href="${link}">Follow it</a></p>`,
    };
  }
  return {
    refreshAfter: pause,
    control: html`<p class="quiet">It is not over yet: this page is brought up to date every ${pause} seconds.
<a href="${link}">Stop that</a></p>`,
  };
}

interface Action {
  /** Where the form is sent, and what its button says. */
  readonly address: string;
  readonly label: string;
  /** What it is about, for those who hear the button by itself. */
  readonly about?: string;
  readonly look?: 'danger' | 'plain';
}

/** A button that does something, as a form that no other site can send. */
export const actionForm = ({ formToken }: Visit, { address, label, about, look }: Action): Html =>
  html`<form method="post" action="${address}">${formToken}<button${
    look && html` class="${look}"`
  }${about && html` aria-label="${label} ${about}"`}>${label}</button></form>`;
