import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { publiclyTyped } from '../kernel/public.ts';
import type { UnfinishedJobs } from '../ports/jobs.ts';
import type { StorageSpace } from '../ports/storages.ts';
import { Admin } from './types.ts';

const Unfinished = builder.objectRef<UnfinishedJobs>('UnfinishedJobs').implement({
  description: 'The background jobs of a kind that wait or run.',
  fields: (t) => ({
    kind: t.exposeString('kind', {
      description: 'What the jobs do.',
      extensions: publiclyTyped('BackgroundJobKind'),
    }),
    count: t.exposeInt('count', { description: 'Their number, counted some seconds ago.' }),
    waitingSeconds: t.exposeFloat('waitingSeconds', {
      nullable: true,
      description: 'For how long the oldest one that is due has waited; null if none is due.',
    }),
  }),
});

const Space = builder.objectRef<StorageSpace>('StorageSpace').implement({
  description: 'The space of a repository storage. Null if its file system does not answer.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name of the storage.' }),
    free: t.expose('free', {
      type: 'ByteCount',
      nullable: true,
      description: 'What new data may take.',
    }),
    total: t.expose('total', { type: 'ByteCount', nullable: true, description: 'All of it.' }),
  }),
});

interface DatabaseFacts {
  readonly version: string;
  readonly size: number;
  readonly isReadOnly: boolean;
}

const Database = builder.objectRef<DatabaseFacts>('DatabaseHealth').implement({
  description: 'The PostgreSQL database.',
  fields: (t) => ({
    version: t.exposeString('version', { description: 'The version of PostgreSQL.' }),
    size: t.expose('size', { type: 'ByteCount', description: 'The size on its disk.' }),
    isReadOnly: t.exposeBoolean('isReadOnly', {
      description: 'Whether it can be read only, as a standby: nothing can be changed.',
    }),
  }),
});

const Health = builder.objectRef<object>('Health').implement({
  description: 'What the server does and needs now. Values of a process are those of one of them.',
  fields: (t) => ({
    uptime: t.int({
      description: 'Seconds since the process started.',
      resolve: () => Math.floor(process.uptime()),
    }),
    memory: t.field({
      type: 'ByteCount',
      description: 'The memory of the process, without that of its children.',
      resolve: () => process.memoryUsage.rss(),
    }),
    database: t.field({
      type: Database,
      description: 'The database.',
      resolve: async (_health, _args, { db }) => {
        const [facts] = await db.$queryRaw<[DatabaseFacts]>`
          SELECT current_setting('server_version') AS version,
            pg_database_size(current_database())::float AS size,
            current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;
        return facts;
      },
    }),
    storages: t.field({
      type: [Space],
      description: 'The repository storages.',
      resolve: (_health, _args, { storages }) => storages.space(),
    }),
    backgroundJobs: t.field({
      type: [Unfinished],
      description: 'The background jobs that wait or run, by kind; kinds without any are left out.',
      resolve: async (_health, _args, { jobs }) =>
        (await jobs.unfinished()).filter(({ count }) => count > 0),
    }),
    pendingCiJobs: t.int({
      description: 'CI jobs that wait for a runner.',
      resolve: (_health, _args, { db }) => db.job.count({ where: { status: 'pending' } }),
    }),
    runningCiJobs: t.int({
      description: 'CI jobs that run.',
      resolve: (_health, _args, { db }) => db.job.count({ where: { status: 'running' } }),
    }),
  }),
});

builder.objectField(Admin, 'health', (t) =>
  t.field({
    type: Health,
    description: 'What the server does and needs now.',
    complexity: heavyCost,
    resolve: () => ({}),
  }),
);
