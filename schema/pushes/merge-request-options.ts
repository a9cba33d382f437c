/** What the options of a push ask for the merge request of a pushed branch. */
export interface MergeRequestOptions {
  /** Whether it is created if there is no open one. */
  readonly creates: boolean;
  readonly targetBranch?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly labels: readonly string[];
  readonly removedLabels: readonly string[];
  readonly isDraft: boolean;
  readonly removesSourceBranch: boolean;
  readonly mergesWhenPipelineSucceeds: boolean;
  /** Users, by id or username. */
  readonly assignee?: string | undefined;
  readonly removedAssignee?: string | undefined;
}

const shape = /^merge_request\.([a-z_]+)(?:=(.*))?$/s;

/** Reads options such as `merge_request.title=Search`; of one that is given twice, the last. */
export function readMergeRequestOptions(options: readonly string[]): MergeRequestOptions {
  const values = new Map<string, string[]>();
  for (const option of options) {
    const [, name = '', value = ''] = shape.exec(option) ?? [];
    values.set(name, [...(values.get(name) ?? []), value.trim()]);
  }
  const has = (name: string) => values.has(name);
  const all = (name: string) => (values.get(name) ?? []).filter((value) => value !== '');
  const last = (name: string) => all(name).at(-1);
  return {
    creates: has('create'),
    targetBranch: last('target'),
    title: last('title'),
    // the value of an option is one line
    description: last('description')?.replaceAll('\\n', '\n'),
    labels: all('label'),
    removedLabels: all('unlabel'),
    isDraft: has('draft'),
    removesSourceBranch: has('remove_source_branch'),
    mergesWhenPipelineSucceeds: has('merge_when_pipeline_succeeds'),
    assignee: withoutAt(last('assign')),
    removedAssignee: withoutAt(last('unassign')),
  };
}

const withoutAt = (user: string | undefined) => user?.replace(/^@/, '');
