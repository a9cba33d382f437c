import { connect } from '../../prisma/client.ts';
import { keptText, recordAudit } from '../../schema/kernel/audit.ts';
import { type Context, noRequest } from '../../schema/kernel/context.ts';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import { argon2Passwords } from '../accounts/passwords.ts';
import { unlockSecrets } from '../accounts/secret-key.ts';
import { loadSettings } from '../accounts/settings.ts';
import type { Config } from '../config.ts';
import type { Storages } from '../git/address.ts';
import { openPlaces } from '../objects/places.ts';
import { storagePlacement } from '../storages/placement.ts';
import { incomingFiles } from '../uploads/incoming.ts';
import { uploadsRoot } from '../uploads/paths.ts';
import { uploadStore } from '../uploads/store.ts';
import { withServiceDatabase } from './service-database.ts';

/** The account of the machine that runs a command: an administrator who is no user. */
export const operator: Viewer = {
  id: 0,
  username: 'operator',
  createdAt: new Date(0),
  namespaceId: null,
  isAdmin: true,
  isExternal: false,
  canCreateGroup: true,
  groupLevels: new Map(),
  reachableIds: [],
  groupPathIds: [],
  projectIds: [],
  knownGroupIds: [],
  validUntil: null,
};

/** The caches of servers are invalidated by notifications of the database. */
export const noCaches: Context['viewers'] = { forget: () => {}, forgetAll: () => {} };

/** What commands need of the service; `url` is that of its database. */
export interface Operator
  extends Pick<
    Context,
    'db' | 'passwords' | 'secrets' | 'settings' | 'storages' | 'uploads' | 'viewer' | 'viewers'
  > {
  readonly url: string;
  readonly storageFolders: Storages;
}

/** Runs the work of a command with the open service. */
export type RunCommand = (work: (operator: Operator) => Promise<void>) => Promise<void>;

/** Runs `work` with the open service. Throws if its database is older or newer than the program. */
export const asOperator = <Result>(
  config: Config,
  work: (operator: Operator) => Promise<Result>,
): Promise<Result> =>
  withServiceDatabase(config, async (url) => {
    const db = connect(url, { poolSize: 2 });
    const places = await openPlaces(config);
    try {
      const incoming = incomingFiles(uploadsRoot(config.dataFolder));
      return await work({
        url,
        db,
        passwords: argon2Passwords(),
        secrets: await unlockSecrets(config.dataFolder, db, { isFirstStart: false }),
        settings: await loadSettings(db),
        storages: await storagePlacement(config.storages, config.storageWeights),
        storageFolders: config.storages,
        uploads: uploadStore(places.objects, incoming),
        viewer: operator,
        viewers: noCaches,
      });
    } finally {
      places.close();
      await db.$disconnect();
    }
  });

/** Commands that read; all others are audit events. */
const reading: readonly string[] = ['list', 'show', 'get', 'check', 'failed', 'export'];

interface Command {
  /** Such as `user block`. */
  readonly command: string;
  /** The name of what it changes. */
  readonly subject: string;
}

/** What the audit log keeps of a command line; null if the command only reads. */
export function commandOf(args: readonly string[]): Command | null {
  const [group = '', verb = '', subject = ''] = args;
  if (reading.includes(verb)) return null;
  // the value of a setting may be a secret
  const [name = ''] = subject.split('=');
  return { command: `${group} ${verb}`, subject: name };
}

/** Runs the work of a command, which the audit log keeps, also if it fails: it may have changed something. */
export async function recorded(
  { command, subject }: Command,
  { db }: Pick<Operator, 'db'>,
  work: () => Promise<void>,
): Promise<void> {
  const record = (outcome: object) =>
    recordAudit(
      { name: 'command', details: { command, subject: keptText(subject), ...outcome } },
      { db, viewer: operator, request: noRequest },
    );
  try {
    await work();
  } catch (error) {
    // the first failure says why
    await record({ failed: true }).catch(() => {});
    throw error;
  }
  await record({});
}
