import type { JsonSchema } from '../kernel/marks.ts';

/**
 * The texts of parameters and fields that mean the same wherever their name stands, for those that the
 * core does not describe.
 */
const usualTexts: Readonly<Record<string, string>> = {
  access_level: 'The level, or which refs a runner serves.',
  access_token: 'The access token.',
  action: 'What to do with the file.',
  actions: 'The changes of files.',
  all: 'Whether to list all statuses, not only the latest of each name.',
  all_available: 'Whether to list all groups that the current user may see.',
  architecture: 'The architecture of the machine.',
  artifact_path: 'The path of the file inside the archive.',
  artifacts: 'The files that the job leaves.',
  assignee_id: 'The id of the assignee.',
  award_id: 'The id of the award emoji.',
  awardable_id: 'The id of the record with the award emoji.',
  awardable_type: 'The type of the record with the award emoji.',
  before: 'Only events before this day.',
  after: 'Only events after this day.',
  board_id: 'The id of the board.',
  branch: 'The name of the branch.',
  branch_name: 'The name of the branch, by its former parameter.',
  cache: 'The files that jobs share.',
  client_id: 'The Application ID.',
  client_secret: 'The secret of the application.',
  closed_issues_count: 'The number of closed issues in the group or project.',
  code: 'The content.',
  commit_message: 'The message of the commit.',
  confirm: 'Without effect: addresses are not confirmed.',
  content: 'The content of the file.',
  content_range: 'The place of the piece in the trace.',
  context: 'The name of the status, by another parameter.',
  creator_id: 'The id of the user who created it.',
  dependencies: 'The jobs whose artifacts it needs.',
  discussion_locked: 'Whether only members may comment.',
  email: 'The e-mail address.',
  encoding: 'The encoding of the content.',
  expire_in: 'When the artifacts expire, such as `3 days`.',
  failure_reason: 'Why the job failed.',
  file: 'The file.',
  file_path: 'The path of the file.',
  filepath: 'The path of the file, by its former parameter.',
  filesize: 'The size of the archive in bytes.',
  format: 'The format of the archive, such as `zip` or `tar.gz`.',
  gravatar_enabled: 'The same as `avatar_service_enabled`.',
  group_id: 'The id of the group.',
  group_name: 'The name of the group.',
  id: 'The id.',
  image: 'The image in which the job runs, if any.',
  info: 'The runner program.',
  issue_iid: 'The number of the issue within its project.',
  koding_enabled: 'The same as `cloudide_enabled`.',
  koding_url: 'The same as `cloudide_url`.',
  last_commit_id:
    'The last known commit of the file: the change is refused if there is a later one.',
  last_update: 'The value of `X-GitLab-Last-Update` of an earlier response.',
  line_type: 'Whether the line is new or old.',
  list_id: 'The id of the list.',
  login: 'The username or e-mail address.',
  membership: 'Whether to list only projects of which the current user is a member.',
  merge_commit_message: 'The message of the merge commit.',
  merge_request_iid: 'The number of the merge request within its project.',
  milestone: 'The title of the milestone; `No Milestone` for none.',
  milestone_id: 'The id of the milestone.',
  my_reaction_emoji: 'Only records to which the current user has reacted with this emoji.',
  name: 'The name.',
  noteable_id: 'The id of the record with the note.',
  noteable_type: 'The type of the record with the note.',
  open_issues_count: 'The number of open issues in the group or project.',
  open_merge_requests_count: 'The number of open merge requests in the group or project.',
  order_by: 'What the items are ordered by.',
  parent_id: 'The id of the parent group; null at the top.',
  password: 'The password.',
  paused: 'The opposite of `active`.',
  piece: 'The next bytes of the trace.',
  plantuml_enabled: 'The same as `diagrams_enabled`.',
  plantuml_url: 'The same as `diagrams_url`.',
  platform: 'The operating system of the machine.',
  previous_path: 'The path from which the file is moved.',
  printing_merge_requests_link_enabled: 'The same as `printing_merge_request_link_enabled`.',
  priority: 'The priority within the project; 0 is the highest.',
  project_id: 'The id of the project.',
  public_builds: 'The same as `public_jobs`.',
  remove_source_branch: 'Whether to delete the source branch after the merge.',
  reset_password: 'Whether to set a random password.',
  revision: 'The revision of the program.',
  services: 'The services that run beside the job.',
  sha: 'The id of the commit.',
  simple: 'Whether to send the short form only.',
  skip_confirmation: 'Without effect: addresses are not confirmed.',
  skip_groups: 'Ids of groups to leave out.',
  skip_reconfirmation: 'Without effect: addresses are not confirmed.',
  snippet_id: 'The id of the snippet.',
  state: 'The state of the job.',
  statistics: 'Whether to add statistics, for callers who may see them.',
  stats: 'Whether to count the changed lines; by default they are counted.',
  status: 'Only jobs with this status.',
  steps: 'The scripts of the job.',
  target_project_id: 'The id of the target project.',
  token: 'The token.',
  trace: 'The whole trace.',
  user_id: 'The id of the user.',
  variables: 'The variables.',
  version: 'The version of the program.',
  view: '`simple` sends the short form only.',
  with_issues_enabled: 'Whether to list only projects with issues.',
  with_merge_requests_enabled: 'Whether to list only projects with merge requests.',
  yaml_errors: 'Only pipelines with errors in their CI files.',
};

/** Parameters that are accepted by a former name, too. */
const formerNames = new Set(['branch_name', 'filepath']);

export const isFormerName = (name: string): boolean => formerNames.has(name);

/** The usual text of a name; null if it has none. */
export const usualText = (name: string): string | null => usualTexts[name] ?? null;

/** Adds the usual texts to the properties of a schema, at any depth, that have no description. */
export function addUsualTexts(schema: JsonSchema): void {
  const part = schema as {
    readonly properties?: Readonly<Record<string, { description?: string }>>;
    readonly items?: JsonSchema;
    readonly anyOf?: readonly JsonSchema[];
  };
  for (const [name, property] of Object.entries(part.properties ?? {})) {
    const text = usualText(name);
    if (text) property.description ??= text;
    addUsualTexts(property as JsonSchema);
  }
  if (part.items) addUsualTexts(part.items);
  for (const choice of part.anyOf ?? []) addUsualTexts(choice);
}
