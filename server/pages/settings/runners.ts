import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { badges, entries, pageOf, pager } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm, confirmedForm } from '../kernel/parts.ts';
import { when } from '../kernel/times.ts';

export const runnerFields = graphql(`
  fragment RunnerSettingsRow on Runner {
    id description isActive isShared isLocked tagList runUntagged version platform contactedAt
    canUpdate canDelete canEnable
  }
`);

type Runner = ResultOf<typeof runnerFields>;

export interface RunnerLists {
  readonly own: { readonly total: number; readonly nodes: readonly Runner[] };
  /** Those of the user's other projects, among others. */
  readonly others: { readonly nodes: readonly Runner[] };
  readonly isSharedOn: boolean;
  /** The registration token. */
  readonly token: string;
}

/** Runners on a page. */
export const runnersPerPage = 50;

/** The runners of a project, and how to register another one. */
export function runners(
  visit: Visit,
  project: Project,
  address: string,
  { own, others, isSharedOn, token }: RunnerLists,
): Html {
  const present = new Set(own.nodes.map(({ id }) => id));
  const enableable = others.nodes.filter(({ id, canEnable }) => canEnable && !present.has(id));
  return html`<section aria-labelledby="runners">
<h2 id="runners">Runners</h2>
<p class="quiet">Programs that run the jobs of this project.</p>
${entries(
  own.nodes.map((runner) => row(visit, address, runner)),
  'No runner runs jobs of this project.',
)}
${pager({ address, page: pageOf(visit, 'runners'), total: own.total, size: runnersPerPage, parameter: 'runners', label: 'Pages of runners' })}
<div class="row"><span>Shared runners are ${isSharedOn ? 'enabled' : 'disabled'} for this project.</span>
${actionForm(visit, {
  address: `${address}/shared_runners`,
  label: isSharedOn ? 'Disable shared runners' : 'Enable shared runners',
  look: 'small',
  fields: html`<input type="hidden" name="enabled" value="${isSharedOn ? '0' : '1'}">`,
})}</div>
${
  enableable.length > 0 &&
  html`<h3>Runners of your other projects</h3>
${entries(
  enableable.map(
    (runner) =>
      html`<div class="row">${nameOf(runner)}${actionForm(visit, { address: `${address}/runners/${runner.id}/enable`, label: 'Enable', about: `runner #${runner.id}`, look: 'small' })}</div>`,
  ),
  '',
)}`
}
${registration(visit, project, address, token)}
</section>`;
}

const nameOf = ({ id, description, tagList, isShared, isActive, isLocked }: Runner): Html =>
  html`<span><span class="name">#${id} ${description}</span>${badges([
    isShared && 'shared',
    !isActive && 'paused',
    isLocked && 'locked',
    ...(tagList ?? []),
  ])}</span>`;

function row(visit: Visit, address: string, runner: Runner): Html {
  const { id, isShared, isActive, runUntagged, contactedAt, version, platform } = runner;
  const { canUpdate, canDelete } = runner;
  const to = (step: string) => `${address}/runners/${id}/${step}`;
  const about = `runner #${id}`;
  const step = isActive ? 'pause' : 'resume';
  const facts = [
    contactedAt === null ? 'never connected' : html`last contact ${when(contactedAt)}`,
    version && ` · version ${version}`,
    platform && ` · ${platform}`,
    !runUntagged && ' · only jobs with its tags',
  ];
  return html`<div class="row">${nameOf(runner)}
${
  canUpdate &&
  actionForm(visit, {
    address: to(step),
    label: isActive ? 'Pause' : 'Resume',
    about,
    look: 'small',
  })
}${
  canUpdate &&
  !canDelete &&
  !isShared &&
  actionForm(visit, {
    address: to('disable'),
    label: 'Disable here',
    about,
    look: 'small danger',
  })
}</div>
<span class="quiet">${facts}</span>
${
  canDelete &&
  !isShared &&
  confirmedForm(
    visit,
    { address: to('remove'), label: 'Remove', about },
    'The runner must be registered again to run jobs.',
  )
}`;
}

function registration(
  visit: Visit,
  { httpUrlToRepo, fullPath }: Project,
  address: string,
  token: string,
): Html {
  const url = httpUrlToRepo.slice(0, -`/${fullPath}.git`.length);
  return html`<h3>Register a runner</h3>
<p>Registration token: <code data-copy="the registration token">${token}</code></p>
<pre class="plain" data-copy="the command">gitlab-runner register --url ${url} --registration-token ${token}</pre>
${confirmedForm(
  visit,
  { address: `${address}/runners_token`, label: 'Reset registration token' },
  'The current token stops working; registered runners stay registered.',
)}`;
}
