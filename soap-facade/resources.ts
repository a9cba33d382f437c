import { groupAccessRequest, projectAccessRequest } from './access-requests.ts';
import { board, boardList } from './boards.ts';
import { customAttribute } from './custom-attribute.ts';
import { group } from './group.ts';
import { groupVariable } from './group-variable.ts';
import type { Resource } from './kernel/resource.ts';
import { namespace } from './namespace.ts';
import { issueNote, mergeRequestNote, snippetNote } from './notes.ts';
import { pipeline } from './pipeline.ts';
import { project } from './project.ts';
import { repository } from './repository.ts';
import { runner } from './runner.ts';
import { settings } from './settings.ts';
import { release, tag } from './tags.ts';
import { wiki } from './wiki.ts';

/** Every resource, in the order of the specification. */
export const resources: readonly Resource[] = [
  runner,
  pipeline,
  wiki,
  group,
  project,
  issueNote,
  snippetNote,
  mergeRequestNote,
  board,
  boardList,
  groupAccessRequest,
  projectAccessRequest,
  tag,
  release,
  repository,
  groupVariable,
  customAttribute,
  namespace,
  settings,
];
