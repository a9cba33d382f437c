import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { type IconName, icon } from '../kernel/icons.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';

const statusIcons: Readonly<Record<string, IconName>> = {
  success: 'check-circle',
  failed: 'x-circle',
  running: 'sync',
  pending: 'clock',
  canceled: 'circle-slash',
  skipped: 'skip',
  manual: 'play',
};

/** The status badge of a pipeline, job or external status. */
export const statusMark = (status: string): Html =>
  html`<span class="badge status ${status}">${icon(statusIcons[status] ?? 'dot')}${status}</span>`;

/** `3725` → `1 h 2 min 5 s`, which stays on one line; whole seconds. */
export function span(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  const units = parts.filter(([amount]) => amount > 0).map((part) => part.join('\u00a0'));
  return units.join('\u00a0') || '0\u00a0s';
}

/** The fields of a link to a pipeline. */
export const pipelineLinkFields = graphql(`
  fragment PipelineLinkFields on Pipeline { id status project { fullPath } }
`);

/** A link to a pipeline, with its status. */
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

/** The ref and commit of a pipeline, linked if the user may read the code. */
export function refAndCommit(visit: Visit, project: Project, { ref, isTag, sha }: Placed): Html {
  const [name, short] = [html`${isTag && 'tag '}${ref}`, html`<code>${sha.slice(0, 8)}</code>`];
  if (!project.access.canReadCode) return html`${name} · ${short}`;
  return html`<a href="${addressIn(visit, project, 'commits', ref)}">${name}</a> · <a href="${addressIn(visit, project, 'commit', sha)}">${short}</a>`;
}

const unfinishedStates: ReadonlySet<string> = new Set(['created', 'pending', 'running']);

/** Whether the status can still change by itself. */
export const isUnfinished = (status: string): boolean => unfinishedStates.has(status);

/** Seconds between two reloads. */
const pause = 5;

/**
 * Reloads the page of an unfinished pipeline or job until the user stops it; `control` is the link
 * that stops or restarts the reloading.
 */
export function following(
  visit: Visit,
  address: string,
  status: string,
): Pick<ShownPage, 'refreshAfter'> & { readonly control: Html | null } {
  if (!isUnfinished(status)) return { control: null };
  const { follow, ...query } = visit.query;
  const other = new URLSearchParams(follow === 'no' ? query : { ...query, follow: 'no' });
  const link = other.size === 0 ? address : `${address}?${other}`;
  if (follow === 'no') {
    return {
      control: html`<p class="quiet">Not finished yet. <a href="${link}">Refresh automatically</a></p>`,
    };
  }
  return {
    refreshAfter: pause,
    control: html`<p class="quiet">Not finished yet. <span data-refreshing>This page refreshes every ${pause} seconds.</span>
<a href="${link}">Stop refreshing</a></p>`,
  };
}
