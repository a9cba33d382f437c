import type { Linking } from '../../../schema/markdown/linking.ts';
import type { DiscussionPlace } from '../discussions/place.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { Html } from '../kernel/html.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { ownLinking, textLinking } from '../markdown/linking.ts';

/** A project with snippets, or the personal snippets of users. */
export interface SnippetHome {
  /** The id of the project; null for personal snippets. */
  readonly id: string | null;
  readonly project: Project | null;
  /** The address of the list. */
  readonly address: string;
  readonly linking: Linking;
  readonly page: (title: string, main: Html, status?: number) => ShownPage;
}

export const projectHome = (visit: Visit, project: Project): SnippetHome => ({
  id: String(project.id),
  project,
  address: addressIn(visit, project, 'snippets'),
  linking: textLinking(visit, project),
  page: (title, main, status = 200) => ({
    ...projectPage(visit, project, 'snippets', title, main),
    status,
  }),
});

export const personalHome = (visit: Visit): SnippetHome => ({
  id: null,
  project: null,
  address: visit.url('/snippets'),
  linking: ownLinking(visit),
  page: (title, main, status = 200) => ({ title, main, status }),
});

/** The discussion of a snippet of a project. */
export const discussionPlace = (visit: Visit, project: Project, id: number): DiscussionPlace => ({
  subject: { snippet: { project: String(project.id), id } },
  project,
  address: addressIn(visit, project, 'snippets', String(id)),
  section: 'snippets',
  name: `$${id}`,
});
