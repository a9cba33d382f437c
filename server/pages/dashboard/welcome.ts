import { graphql } from '../../../schema/client/graphql.ts';
import { type Html, html, type Shown } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';

const Welcome = graphql(`
  query Welcome {
    canCreateGroups
    groups(filter: { isMember: true }, perPage: 1) { total }
    viewer { name sshKeys(perPage: 1) { total } account { isTwoFactorEnabled canCreateProject isPasswordGiven } }
  }
`);

const Runners = graphql(`
  query WelcomeRunners { allRunners(perPage: 1) { total } }
`);

interface Step {
  readonly isDone: boolean;
  readonly title: string;
  readonly text: string;
  readonly actions: Shown;
}

/** The home of a user without projects: what to do first, with what is already done. */
export async function welcome(visit: Visit): Promise<ShownPage> {
  const { url } = visit;
  const isAdmin = visit.viewer?.isAdmin === true;
  const [{ viewer, groups, canCreateGroups }, runners] = await Promise.all([
    visit.ask(Welcome, {}),
    isAdmin ? visit.ask(Runners, {}) : null,
  ]);
  const button = (path: string, label: string, look = 'secondary') =>
    html`<a class="button ${look}" href="${url(path)}">${label}</a>`;
  const steps: readonly (Step | false)[] = [
    viewer.account?.isPasswordGiven === true && {
      isDone: false,
      title: 'Change your password',
      text: 'The person who installed the server or created your account knows it.',
      actions: button('/profile/password', 'Change password'),
    },
    canCreateGroups && {
      isDone: groups.total > 0,
      title: 'Create a group',
      text: 'A group holds the projects of a team, whose members have access to all of them.',
      actions: button('/groups/new', 'New group'),
    },
    viewer.account?.canCreateProject === true && {
      isDone: false,
      title: 'Create a project, or import one',
      text: 'A project has a repository, issues, merge requests, pipelines and a wiki.',
      actions: html`${button('/projects/new', 'New project', 'primary')}
${button('/projects/new?from=url', 'Import a project')}`,
    },
    runners !== null && {
      isDone: runners.allRunners.total > 0,
      title: 'Add a runner',
      text: 'Runners run the jobs of pipelines. A shared runner serves all projects.',
      actions: button('/admin/runners', 'Add a runner'),
    },
    {
      isDone: (viewer.sshKeys?.total ?? 0) > 0,
      title: 'Add an SSH key',
      text: 'With a key you push and pull without a password.',
      actions: button('/profile/keys', 'Add an SSH key'),
    },
    {
      isDone: viewer.account?.isTwoFactorEnabled === true,
      title: 'Protect your account',
      text: 'Two-factor authentication asks for a code of your phone at each sign-in.',
      actions: button('/profile/two_factor', 'Set up'),
    },
  ];
  return {
    title: 'Welcome',
    main: html`<h1>Welcome to Millrace, ${viewer.name}</h1>
<p>You are in no project yet. These are the first steps:</p>
<ol class="steps">${steps.map((step) => step && shownStep(step))}</ol>
<p>Or <a href="${url('/explore')}">explore the projects</a> that you can see, and
<a href="${url('/?list=starred')}">those you starred</a>.</p>`,
  };
}

const shownStep = ({ isDone, title, text, actions }: Step): Html => html`<li>
<span class="${isDone ? 'done' : 'quiet'}">${icon(isDone ? 'check-circle' : 'circle')}<span class="unseen">${isDone ? 'Done:' : 'To do:'}</span></span>
<p><strong>${title}</strong><br><span class="quiet">${text}</span></p>
<span class="row">${actions}</span>
</li>`;
