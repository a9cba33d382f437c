import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { openSession, type Session } from '../../prisma/client.ts';
import { cloneDatabase } from './database.ts';
import { freePort } from './free-port.ts';
import { rootToken, type ServerProcess, startProcess } from './process.ts';

type Variables = Readonly<Record<string, string>>;

/** A data folder with a port: a test starts its server, kills it and starts it again. */
export interface Killable {
  readonly dataFolder: string;
  readonly start: () => Promise<ServerProcess>;
}

/** Deletes a folder when the current test ends. */
export function deleteAfterTest(folder: string): string {
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const dataFolderOfTest = async () =>
  deleteAfterTest(await mkdtemp(join(tmpdir(), 'millrace-kill-')));

/** A service with an embedded database, which ends with the test; call it in the test. */
export async function killable(variables: Variables = {}): Promise<Killable> {
  const dataFolder = await dataFolderOfTest();
  const port = await freePort();
  return { dataFolder, start: () => started(port, { MILLRACE_DATA: dataFolder, ...variables }) };
}

/** The same on a database of its own in the suite's PostgreSQL; each start is another server, on another port. */
export async function killableServers(
  further: Variables = {},
): Promise<Killable & { readonly session: Session }> {
  const dataFolder = await dataFolderOfTest();
  const database = await cloneDatabase(inject('databaseUrl'));
  onTestFinished(() => database.drop());
  const session = await openSession(database.url);
  onTestFinished(() => session.end());
  const variables = { MILLRACE_DATA: dataFolder, DATABASE_URL: database.url, ...further };
  return { dataFolder, session, start: async () => started(await freePort(), variables) };
}

async function started(port: number, variables: Variables): Promise<ServerProcess> {
  const server = await startProcess(port, variables);
  onTestFinished(async () => {
    await server.kill('SIGKILL', 'group');
  });
  return server;
}

/** The address of a project of root, with root's token. */
export const remoteOf = ({ url }: Pick<ServerProcess, 'url'>, path: string): string =>
  `${url.replace('://', `://root:${rootToken}@`)}/root/${path}.git`;
