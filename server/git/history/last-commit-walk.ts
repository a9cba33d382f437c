import { isSha } from '../names.ts';
import { readOutput, readText } from '../process/output.ts';

/** The newest commits that are searched. */
const maxCommits = 5_000;
const timeLimitMs = 5_000;

export interface LastCommits {
  /** The last commit of each path that was found. */
  readonly commits: ReadonlyMap<string, string>;
  /** False if the time ran out: a second walk may find more. */
  readonly isWhole: boolean;
}

/**
 * Finds the last commits of paths with one walk of the history. As `git log -- <path>` does, each
 * path is followed to the first parent that has the same content, up to a commit that differs from
 * all of its parents.
 */
export async function walkLastCommits(
  folder: string,
  sha: string,
  paths: readonly string[],
  signal: AbortSignal | null,
): Promise<LastCommits> {
  const gitDir = `--git-dir=${folder}`;
  const deadline = Date.now() + timeLimitMs;
  const history = await readText(
    [gitDir, 'rev-list', '--parents', `--max-count=${maxCommits}`, sha, '--'],
    { signal, timeLimitMs },
  );
  if (history.end !== 'whole') return { commits: new Map(), isWhole: false };
  const steps = stepsIn(history.text);
  const search = new Search(sha, paths);
  // subfolders are compared only if a path needs it
  const depth = paths.some((path) => path.includes('/')) ? ['-r', '-t'] : [];
  const options = ['--stdin', '--root', '--always', '-z', '--raw', '--no-renames', '--no-ext-diff'];
  const parser = changeParser(steps, new Set(paths), (step, changed) =>
    search.compare(step, changed),
  );
  const end = await readOutput(
    [gitDir, '--literal-pathspecs', 'diff-tree', ...options, ...depth, '--', ...paths],
    {
      signal,
      input: steps.map(lineOf).join(''),
      timeLimitMs: Math.max(deadline - Date.now(), 1),
      onChunk: (chunk) => {
        parser.read(chunk);
        return !search.isDone();
      },
    },
  );
  if (end === 'whole') parser.end();
  return { commits: search.found, isWhole: end !== 'late' };
}

/** A comparison of a commit with one of its parents, or with the empty tree. */
interface Step {
  readonly commit: string;
  readonly parent: string | null;
  /** Whether it is the commit's last one. */
  readonly isLast: boolean;
}

const lineOf = ({ commit, parent }: Step): string =>
  parent === null ? `${commit}\n` : `${commit} ${parent}\n`;

function stepsIn(history: string): readonly Step[] {
  const steps: Step[] = [];
  for (const line of history.split('\n')) {
    const [commit = '', ...parents] = line.split(' ');
    if (!isSha(commit)) continue;
    if (parents.length === 0) steps.push({ commit, parent: null, isLast: true });
    for (const [index, parent] of parents.entries()) {
      steps.push({ commit, parent, isLast: index === parents.length - 1 });
    }
  }
  return steps;
}

/** The paths that are not found yet, by the commit that has them unchanged. */
class Search {
  readonly found = new Map<string, string>();
  private readonly pending = new Map<string, string[]>();
  /** Of compared commits: for each parent the paths that differ. */
  private readonly compared = new Map<string, Map<string | null, ReadonlySet<string>>>();
  private open: number;

  constructor(sha: string, paths: readonly string[]) {
    this.pending.set(sha, [...paths]);
    this.open = paths.length;
  }

  isDone(): boolean {
    return this.open === 0;
  }

  /** Takes the paths that differ between a commit and its parent. */
  compare({ commit, parent, isLast }: Step, changed: ReadonlySet<string>): void {
    const parents = this.compared.get(commit) ?? new Map<string | null, ReadonlySet<string>>();
    parents.set(parent, changed);
    this.compared.set(commit, parents);
    if (isLast) this.follow(commit);
  }

  /** Follows the paths of a commit. A parent with a wrong date may have been compared before. */
  private follow(from: string): void {
    const commits = [from];
    for (let commit = commits.pop(); commit !== undefined; commit = commits.pop()) {
      const parents = [...(this.compared.get(commit) ?? [])];
      const paths = this.pending.get(commit);
      if (parents.length === 0 || !paths) continue;
      this.pending.delete(commit);
      for (const path of paths) {
        const [same] = parents.find(([, changed]) => !changed.has(path)) ?? [];
        if (same === undefined) {
          this.found.set(path, commit);
          this.open -= 1;
        } else if (same !== null) {
          const waiting = this.pending.get(same);
          if (waiting) waiting.push(path);
          else this.pending.set(same, [path]);
          if (this.compared.has(same)) commits.push(same);
        }
      }
    }
  }
}

/**
 * Parses the output of `git diff-tree --stdin --always -z --raw`: for each step the commit's id,
 * then for each change a line that starts with a colon, and its path; each ends with a NUL.
 */
function changeParser(
  steps: readonly Step[],
  paths: ReadonlySet<string>,
  onStep: (step: Step, changed: ReadonlySet<string>) => void,
) {
  let rest: Buffer = Buffer.alloc(0);
  let current = -1;
  let changed = new Set<string>();
  let isPathNext = false;

  const finish = () => {
    const step = steps[current];
    if (step) onStep(step, changed);
    changed = new Set();
  };
  const token = (text: string) => {
    if (isPathNext) {
      if (paths.has(text)) changed.add(text);
      isPathNext = false;
    } else if (text.startsWith(':')) {
      isPathNext = true;
    } else {
      finish();
      current += 1;
    }
  };

  return {
    read: (chunk: Buffer) => {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      for (let nul = bytes.indexOf(0, at); nul >= 0; nul = bytes.indexOf(0, at)) {
        token(bytes.toString('utf8', at, nul));
        at = nul + 1;
      }
      rest = bytes.subarray(at);
    },
    end: finish,
  };
}
