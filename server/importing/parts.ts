import type { Context } from '../../schema/kernel/context.ts';
import type { Viewer } from '../../schema/kernel/viewer.ts';
import type { People } from './people.ts';
import type { Report } from './report.ts';
import type { Source } from './source.ts';

/** What an import works with: the service, the source, and the user in whose name it writes. */
export interface ImportParts
  extends Pick<
    Context,
    | 'baseUrl'
    | 'sshUrl'
    | 'db'
    | 'git'
    | 'jobs'
    | 'secrets'
    | 'settings'
    | 'storages'
    | 'uploads'
    | 'viewer'
    | 'viewers'
  > {
  readonly source: Source;
  readonly people: People;
  readonly report: Report;
  /** The owner of new groups and projects, and the author of texts whose author is no user here. */
  readonly importer: Viewer;
  /** Aborted when the administrator stops the command. */
  readonly signal: AbortSignal;
}
