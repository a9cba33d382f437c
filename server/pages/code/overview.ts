import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { type IconName, icon } from '../kernel/icons.ts';
import { bytes } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { menu } from '../kernel/parts.ts';
import { inTime } from './latest-commit.ts';

const facts = graphql(`
  query ProjectFacts($id: ID!) {
    project(id: $id) {
      tagList
      statistics { commitCount repositorySize }
    }
    repository(project: $id) {
      branches(perPage: 1) { total }
      tags(perPage: 1) { total }
    }
  }
`);

const languages = graphql(`
  query ProjectLanguages($id: ID!) {
    repository(project: $id) { languages { name share } }
  }
`);

export interface ProjectFacts {
  /** The topics of a project, and the size of its history. */
  readonly repository: Html;
  /** The languages of its code; null if there are none, or they take long to count. */
  readonly languages: Html | null;
}

/** What the page of a project says of its repository beside the files. */
export async function projectFacts(visit: Visit, project: Project): Promise<ProjectFacts> {
  const id = String(project.id);
  const [{ project: details, repository }, counted] = await Promise.all([
    visit.ask(facts, { id }),
    inTime(visit.ask(languages, { id })),
  ]);
  const { tagList, statistics } = details;
  const ref = project.defaultBranch ?? '';
  const fact = (symbol: IconName, text: string, ...parts: readonly string[]) =>
    html`<li>${icon(symbol)} <a href="${addressIn(visit, project, ...parts)}">${text}</a></li>`;
  const size = project.access.canEdit && statistics ? bytes(statistics.repositorySize) : null;
  const repositoryFacts = html`${
    tagList.length > 0 &&
    html`<ul class="topics" aria-label="Topics">${tagList.map((topic) => html`<li class="badge">${topic}</li>`)}</ul>`
  }
<ul class="repository-facts" aria-label="Repository">
${statistics && fact('history', counting(statistics.commitCount, 'commit', 'commits'), 'commits', ref)}
${fact('git-branch', counting(repository.branches.total, 'branch', 'branches'), 'branches')}
${fact('tag', counting(repository.tags.total, 'tag', 'tags'), 'tags')}
${size && html`<li>${icon('server')} ${size}</li>`}
</ul>`;
  return {
    repository: repositoryFacts,
    languages: counted && languageBar(counted.repository.languages),
  };
}

const numbers = new Intl.NumberFormat('en');

const counting = (count: number, one: string, more: string): string =>
  `${numbers.format(count)} ${count === 1 ? one : more}`;

/** Languages that have a part of the bar of their own. */
const most = 6;

const colours = ['#3b7dd8', '#d98324', '#3f9c56', '#9457c8', '#c9465f', '#2f9ea3'];

interface Share {
  readonly name: string;
  readonly share: number;
}

function languageBar(all: readonly Share[]): Html | null {
  if (all.length === 0) return null;
  const shown = all.slice(0, most).filter(({ share }) => share >= 0.1);
  let from = 0;
  const parts = shown.map(({ share }, place) => {
    const part = html`<rect x="${from}" width="${share}" height="8" fill="${colours[place]}"/>`;
    from += share;
    return part;
  });
  const names = shown.map(
    ({ name, share }, place) =>
      html`<li><svg class="dot" viewBox="0 0 8 8" aria-hidden="true"><circle cx="4" cy="4" r="4" fill="${colours[place]}"/></svg>${name} <span class="quiet">${share.toFixed(1)} %</span></li>`,
  );
  return html`<section><h2>Languages</h2><svg class="chart languages" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>
<ul class="repository-facts" aria-label="Languages">${names}</ul></section>`;
}

/** A menu with the addresses to clone a project. */
export const cloneMenu = ({ httpUrlToRepo, sshUrlToRepo }: Project): Html =>
  html`<div class="clone">${menu(
    html`${icon('code')}Clone${icon('chevron-down')}`,
    html`${cloneAddress('HTTP', httpUrlToRepo)}${cloneAddress('SSH', sshUrlToRepo)}`,
  )}</div>`;

const cloneAddress = (protocol: string, address: string): Html => {
  const id = `clone-${protocol.toLowerCase()}`;
  return html`<label for="${id}">Clone with ${protocol}</label>
<div class="row"><input id="${id}" class="code" readonly value="${address}" data-copy="the ${protocol} address"></div>`;
};
