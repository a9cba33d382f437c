import { type ChildProcess, spawn } from 'node:child_process';
import { type SshKeyPair, sshOptions } from '../support/ssh.ts';
import type { Service } from './service.ts';

/** What the hostile callers aim at: public projects, and the key of an account that is new. */
export interface HostileTarget {
  readonly service: Service;
  /** A project with a long history. */
  readonly longProjectId: number;
  readonly projectPath: string;
  readonly pipelineId: number;
  readonly key: SshKeyPair;
}

/** Load that callers keep up until it is stopped; the statuses of its responses, by count. */
export interface RunningLoad {
  stop(): Promise<Readonly<Record<string, number>>>;
}

export interface HostileLoad {
  readonly name: string;
  start(target: HostileTarget): Promise<RunningLoad>;
}

const address = (caller: number) => `203.0.113.${1 + (caller % 250)}`;

/** So many callers, each at an address of its own, that send one request after the other. */
function repeat(
  callers: number,
  send: (caller: number, turn: number, signal: AbortSignal) => Promise<Response>,
): RunningLoad {
  const end = new AbortController();
  const counts: Record<string, number> = {};
  const loops = Array.from({ length: callers }, async (_, caller) => {
    for (let turn = 0; !end.signal.aborted; turn += 1) {
      try {
        const response = await send(caller, turn, end.signal);
        counts[response.status] = (counts[response.status] ?? 0) + 1;
        await response.arrayBuffer();
      } catch (error) {
        if (!end.signal.aborted) throw error;
      }
    }
  });
  return {
    stop: async () => {
      end.abort();
      await Promise.all(loops);
      return counts;
    },
  };
}

const missingPaths: HostileLoad = {
  name: '10 anonymous listings of commits of missing paths',
  start: async ({ service, longProjectId }) => {
    const commits = `${service.url}/api/v4/projects/${longProjectId}/repository/commits`;
    return repeat(10, (caller, turn, signal) =>
      fetch(`${commits}?path=missing-${caller}-${turn}`, {
        headers: { 'X-Forwarded-For': address(caller) },
        signal,
      }),
    );
  },
};

/** 53 KB that merge a mapping of 2,600 keys into another 8,700 times. */
const mergeKeys = (turn: number): string => {
  const keys = Array.from({ length: 2600 }, (_, n) => `k${n}: 1`);
  const aliases = Array(8700).fill('*a');
  return `# ${turn}\n.a: &a { ${keys.join(', ')} }\nunit: { script: test, <<: [${aliases.join(',')}] }\n`;
};

const mergedFiles: HostileLoad = {
  name: '6 anonymous checks of CI files with merge keys',
  start: async ({ service }) =>
    repeat(6, (caller, turn, signal) =>
      fetch(`${service.url}/api/v4/ci/lint`, {
        method: 'POST',
        headers: { 'X-Forwarded-For': address(caller), 'Content-Type': 'application/json' },
        body: JSON.stringify({ content: mergeKeys(turn * 6 + caller) }),
        signal,
      }),
    ),
};

const silentClones: HostileLoad = {
  name: '100 silent git-upload-pack by SSH, one account, 4 addresses',
  start: async ({ service, projectPath, key }) => {
    const children = new Set<ChildProcess>();
    let isOver = false;
    let started = 0;
    const open = (slot: number) => {
      started += 1;
      const from = `127.0.0.${2 + (slot % 4)}`;
      const command = `git-upload-pack '${projectPath}.git'`;
      const args = [...sshOptions(key), '-b', from, '-p', String(service.sshPort)];
      const child = spawn('ssh', [...args, 'git@127.0.0.1', command], {
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      children.add(child);
      child.once('exit', () => {
        children.delete(child);
        // who is refused tries again a second later
        if (!isOver) setTimeout(() => !isOver && open(slot), 1000);
      });
    };
    for (let slot = 0; slot < 100; slot += 1) open(slot);
    return {
      stop: async () => {
        isOver = true;
        const counts = { open: children.size, started };
        for (const child of children) child.kill();
        return counts;
      },
    };
  },
};

const subscriptions: HostileLoad = {
  name: '1,000 anonymous subscriptions',
  start: async ({ service, pipelineId }) => {
    const query = `subscription { pipelineUpdated(id: ${pipelineId}) { status } }`;
    const end = new AbortController();
    const counts: Record<string, number> = {};
    const open = async (caller: number) => {
      const response = await fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers: {
          Accept: 'text/event-stream',
          'Content-Type': 'application/json',
          'X-Forwarded-For': address(caller),
        },
        body: JSON.stringify({ query }),
        signal: end.signal,
      });
      counts[response.status] = (counts[response.status] ?? 0) + 1;
    };
    await Promise.all(Array.from({ length: 1000 }, (_, caller) => open(caller)));
    return {
      stop: async () => {
        end.abort();
        return counts;
      },
    };
  },
};

export const hostileLoads: readonly HostileLoad[] = [
  missingPaths,
  mergedFiles,
  silentClones,
  subscriptions,
];
