import type { Client, Parameters } from './client.ts';
import type { World } from './world.ts';

/** A registered runner: its id and its token. */
export interface RegisteredRunner {
  readonly id: number;
  readonly token: string;
}

/** Registers runners as runner programs do. */
export interface Runners {
  /** The registration token of shared runners. */
  readonly sharedToken: () => Promise<string>;
  /** The registration token of a project's runners. */
  readonly projectToken: (projectId: number) => Promise<string>;
  readonly shared: (traits?: Parameters) => Promise<RegisteredRunner>;
  /** A runner enabled in all these projects. */
  readonly specific: (
    projectIds: readonly [number, ...number[]],
    traits?: Parameters,
  ) => Promise<RegisteredRunner>;
}

export function runnersOf({ as, url, root, db }: World): Runners {
  const sharedToken = async () => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Private-Token': root.token },
      body: JSON.stringify({ query: '{ admin { applicationSettings { runnersToken } } }' }),
    });
    const { data } = (await response.json()) as {
      data: { admin: { applicationSettings: { runnersToken: string } } };
    };
    return data.admin.applicationSettings.runnersToken;
  };
  const projectToken = async (projectId: number) => {
    const { body } = await as(root).get(`/projects/${projectId}`);
    return (body as { runners_token: string }).runners_token;
  };
  return {
    sharedToken,
    projectToken,
    shared: async (traits) => register(as(null), { ...traits, token: await sharedToken() }),
    specific: async ([first, ...otherIds], traits) => {
      const runner = await register(as(null), { ...traits, token: await projectToken(first) });
      await db.runnerProject.createMany({
        data: otherIds.map((projectId) => ({ runnerId: runner.id, projectId })),
      });
      return runner;
    },
  };
}

async function register(client: Client, input: Parameters): Promise<RegisteredRunner> {
  const { status, body } = await client.post('/runners', input);
  if (status !== 201) throw new Error(`registration failed: ${status} ${JSON.stringify(body)}`);
  return body as RegisteredRunner;
}

/** The `info` that a runner program sends when it registers. */
export const runnerInfo = {
  name: 'gitlab-runner',
  version: '10.1.0',
  revision: 'c1ecf97f',
  platform: 'linux',
  architecture: 'amd64',
};

/** A specific runner with default values, as in listings. */
export const runnerShape = (id: number, traits: object = {}) => ({
  id,
  description: null,
  active: true,
  is_shared: false,
  name: null,
  ...traits,
});

/** The same as a single runner, for users who cannot see its token. */
export const runnerDetailsShape = (id: number, traits: object = {}) => ({
  ...runnerShape(id),
  tag_list: [],
  run_untagged: true,
  locked: false,
  access_level: 'not_protected',
  version: null,
  revision: null,
  platform: null,
  architecture: null,
  contacted_at: null,
  projects: [],
  ...traits,
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** Creates three runners: paused, without contact for an hour, and online. */
export async function runnersByStatus(
  { db }: Pick<World, 'db'>,
  make: () => Promise<RegisteredRunner>,
): Promise<{ readonly paused: number; readonly silent: number; readonly online: number }> {
  const create = async (data: { readonly isActive?: boolean; readonly contactedAt?: Date }) => {
    const { id } = await make();
    await db.runner.update({ where: { id }, data });
    return id;
  };
  return {
    paused: await create({ isActive: false }),
    silent: await create({ contactedAt: minutesAgo(61) }),
    online: await create({ contactedAt: minutesAgo(59) }),
  };
}
