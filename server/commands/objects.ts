import { Command } from 'commander';
import type { Config } from '../config.ts';
import { whileAlone } from '../object-moves/alone.ts';
import { moveObjects } from '../object-moves/move.ts';
import { type ObjectKind, objectKinds } from '../objects/kinds.ts';
import { openPlaces } from '../objects/places.ts';
import { incomingFiles } from '../uploads/incoming.ts';
import { uploadsRoot } from '../uploads/paths.ts';
import type { Operator, RunCommand } from './operator.ts';
import { type OutputOptions, type PrintedRecord, printList } from './output.ts';
import { progress } from './progress.ts';

/** Moves every kind of object to the place for new ones; prints a row for each kind. */
async function move(config: Config, { db, url }: Operator, output: OutputOptions): Promise<void> {
  const places = await openPlaces(config);
  const incoming = incomingFiles(uploadsRoot(config.dataFolder));
  const shown = progress();
  const moveKind = async (kind: ObjectKind) => {
    const counts = { moved: 0, removed: 0, left: 0 };
    for await (const { key, result, fault } of moveObjects(kind, { db, places, incoming })) {
      shown.step(key);
      counts[result] += 1;
      if (fault !== undefined) process.stderr.write(`${key}: ${fault}\n`);
    }
    return { kind, to: places.writes, moved: counts.moved + counts.removed, left: counts.left };
  };
  try {
    if (!places.s3) throw new Error('MILLRACE_OBJECTS is not set: there is only one place.');
    const rows: PrintedRecord[] = [];
    const isDone = await whileAlone(url, async () => {
      for (const kind of objectKinds) rows.push(await moveKind(kind));
    });
    shown.end();
    if (!isDone) throw new Error('A backup or another move is running. Repeat this afterwards.');
    printList(rows, output);
  } finally {
    await incoming.close();
    places.close();
  }
}

/** `millrace objects …`. */
export function objectCommands(readConfig: () => Config, run: RunCommand): Command {
  const group = new Command('objects');
  group
    .command('move')
    .description(
      'Move uploads, artifacts, traces and LFS objects to the place for new ones in MILLRACE_OBJECTS; servers may run',
    )
    .action((output: OutputOptions) => run((operator) => move(readConfig(), operator, output)));
  return group;
}
