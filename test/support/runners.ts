import type { Client, Parameters } from './client.ts';
import type { World } from './world.ts';

/** A runner as it is registered: its id, and the token by which it asks. */
export interface RegisteredRunner {
  readonly id: number;
  readonly token: string;
}

/** Makes runners as their programs do. */
export interface Runners {
  /** By which shared runners are registered. */
  readonly sharedToken: () => Promise<string>;
  /** By which those of a project are. */
  readonly projectToken: (projectId: number) => Promise<string>;
  readonly shared: (traits?: Parameters) => Promise<RegisteredRunner>;
  /** Enabled in all these projects. */
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
      body: JSON.stringify({ query: '{ applicationSettings { runnersToken } }' }),
    });
    const { data } = (await response.json()) as {
      data: { applicationSettings: { runnersToken: string } };
    };
    return data.applicationSettings.runnersToken;
  };
  const projectToken = async (projectId: number) => {
    const { body } = await as(root).get(`/projects/${projectId}`);
    return (body as { runners_token: string }).runners_token;
  };
  return {
    sharedToken,
    projectToken,
    shared: async (traits) => registered(as(null), { ...traits, token: await sharedToken() }),
    specific: async ([first, ...others], traits) => {
      const runner = await registered(as(null), { ...traits, token: await projectToken(first) });
      await db.runnerProject.createMany({
        data: others.map((projectId) => ({ runnerId: runner.id, projectId })),
      });
      return runner;
    },
  };
}

async function registered(client: Client, given: Parameters): Promise<RegisteredRunner> {
  const { status, body } = await client.post('/runners', given);
  if (status !== 201) throw new Error(`no runner was made: ${status} ${JSON.stringify(body)}`);
  return body as RegisteredRunner;
}

/** What a program says of itself when it registers. */
export const runnerInfo = {
  name: 'gitlab-runner',
  version: '10.1.0',
  revision: 'c1ecf97f',
  platform: 'linux',
  architecture: 'amd64',
};

/** A specific runner of which nothing was said, as listings show it. */
export const runnerShape = (id: number, traits: object = {}) => ({
  id,
  description: null,
  active: true,
  is_shared: false,
  name: null,
  ...traits,
});

/** The same on its own, for those who are not shown its token. */
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

/** Makes three: one paused, one heard of more than an hour ago, one heard of within it. */
export async function inStates(
  { db }: Pick<World, 'db'>,
  make: () => Promise<RegisteredRunner>,
): Promise<{ readonly paused: number; readonly silent: number; readonly online: number }> {
  const made = async (data: { readonly isActive?: boolean; readonly contactedAt?: Date }) => {
    const { id } = await make();
    await db.runner.update({ where: { id }, data });
    return id;
  };
  return {
    paused: await made({ isActive: false }),
    silent: await made({ contactedAt: minutesAgo(61) }),
    online: await made({ contactedAt: minutesAgo(59) }),
  };
}
