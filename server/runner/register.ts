import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { defaultConfigPath, readConfig, withoutSlash, writeConfig } from './config.ts';
import { type Answer, protocolAt } from './protocol.ts';

const registered = z.object({ id: z.number(), token: z.string().min(1) });

/** Registers a runner from command-line options, and writes its config file. */
export async function registerRunner(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      url: { type: 'string' },
      token: { type: 'string' },
      config: { type: 'string', default: defaultConfigPath() },
      description: { type: 'string', default: hostname() },
      tags: { type: 'string' },
      'run-untagged': { type: 'boolean' },
      locked: { type: 'boolean' },
      concurrent: { type: 'string', default: '1' },
    },
  });
  const token = values.token ?? environment.REGISTRATION_TOKEN;
  if (!values.url || !token) throw new Error('register needs --url and --token');
  const url = withoutSlash(values.url);
  const concurrent = Number(values.concurrent);
  if (!Number.isInteger(concurrent) || concurrent < 1 || concurrent > 100) {
    throw new Error(`--concurrent must be a number from 1 to 100, not ${values.concurrent}`);
  }
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new Error(`--url must be an http:// or https:// URL, not ${url}`);
  }
  const { description } = values;
  const traits = {
    description,
    tag_list: values.tags,
    run_untagged: values['run-untagged'],
    locked: values.locked,
  };
  await writeConfig(values.config, async () => {
    const answer = await protocolAt(url).register(token, traits).catch(unreachable(url));
    if (answer.status === 403) throw new Error('The service rejects this token.');
    if (answer.status !== 201) throw new Error(`The service refused: ${whyOf(answer)}`);
    const { id, token: own } = registered.parse(answer.body);
    say(`registered as runner ${id}`);
    return { url, token: own, description, concurrent };
  });
  say(`written to ${values.config}`);
}

/** Unregisters the runner and deletes its config file. */
export async function unregisterRunner(
  args: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { config: { type: 'string', default: defaultConfigPath() } },
  });
  const { url, token } = await readConfig(values.config);
  const answer = await protocolAt(url).unregister(token).catch(unreachable(url));
  // 403: already unregistered
  if (answer.status !== 204 && answer.status !== 403) {
    throw new Error(`The service refused: ${whyOf(answer)}`);
  }
  await rm(values.config);
  say('unregistered');
}

const whyOf = ({ status, body }: Answer) => `${status} ${JSON.stringify(body).slice(0, 500)}`;

const unreachable = (url: string) => (error: Error) => {
  const cause = error.cause instanceof Error ? error.cause.message : error.message;
  throw new Error(`${url} cannot be reached: ${cause}`);
};
