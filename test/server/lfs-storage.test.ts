import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { transact } from '../../schema/kernel/storage-errors.ts';
import { isRecorded } from '../../schema/lfs/objects.ts';
import { deleteUnlinkedObjects } from '../../schema/lfs/remove.ts';
import { lfsKey, lfsRoot } from '../../server/lfs/paths.ts';
import { lfsSettler, lfsStore } from '../../server/lfs/store.ts';
import { localObjects } from '../../server/objects/local.ts';
import { incomingFiles } from '../../server/uploads/incoming.ts';
import { settleMarks } from '../../server/uploads/settle.ts';
import { commandsOf } from '../support/commands.ts';
import { type Content, lfsClient, randomContent } from '../support/lfs.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db, databaseUrl, dataFolder } = await world({ isOneProcess: true });
const { actionOf, put, upload, download } = lfsClient(url);
const { run } = commandsOf({ DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder });
await seed.group('acme', {});

const objects = localObjects(dataFolder);
const incoming = incomingFiles(lfsRoot(dataFolder));
const settle = lfsSettler(objects, (oid, work) =>
  transact(db, async (tx) => work(await isRecorded(tx, oid))),
);
const lfs = lfsStore(objects, incoming, settle);
const pathOf = ({ oid }: Content) => join(dataFolder, lfsKey(oid));
const contentAt = (content: Content) => readFile(pathOf(content)).catch(() => null);
const recordOf = ({ oid }: Content) => db.lfsObject.findUnique({ where: { oid } });
const statisticsOf = (projectId: number) =>
  db.projectStatistics.findUniqueOrThrow({ where: { projectId } });
const twoDaysAgo = () => new Date(Date.now() - 2 * 86_400_000);

/** An uploaded object whose project is removed. */
async function unlinked(path: string) {
  const content = randomContent(1_000);
  const { id } = await seed.project(path, {});
  expect(await upload(root, path, content)).toBe(200);
  await as(root).delete(`/projects/${id}`);
  await expect.poll(async () => (await recordOf(content))?.unlinkedAt ?? null).not.toBeNull();
  return content;
}

describe('objects without a project', () => {
  test('are kept for a day, and then deleted', async () => {
    const content = await unlinked('acme/removed');
    await deleteUnlinkedObjects({ db, lfs });
    expect(await contentAt(content)).toEqual(content.bytes);
    await db.lfsObject.updateMany({ data: { unlinkedAt: twoDaysAgo() } });
    await deleteUnlinkedObjects({ db, lfs });
    expect([await contentAt(content), await recordOf(content)]).toEqual([null, null]);
  });

  test('are kept if another project has them', async () => {
    const content = await unlinked('acme/one');
    await seed.project('acme/two', {});
    expect(await upload(root, 'acme/two', content)).toBe(200);
    await db.lfsObject.updateMany({ data: { unlinkedAt: twoDaysAgo() } });
    await deleteUnlinkedObjects({ db, lfs });
    expect(await recordOf(content)).toMatchObject({ unlinkedAt: null });
    expect(await download(root, 'acme/two', content)).toEqual(content.bytes);
  });

  test('are deleted before or after an upload of the same content, never during it', async () => {
    const { id } = await seed.project('acme/race', {});
    for (let round = 0; round < 10; round += 1) {
      const content = await unlinked(`acme/race-${round}`);
      await db.lfsObject.updateMany({ data: { unlinkedAt: twoDaysAgo() } });
      const [status] = await Promise.all([
        upload(root, 'acme/race', content),
        deleteUnlinkedObjects({ db, lfs }),
        deleteUnlinkedObjects({ db, lfs }),
      ]);
      // the content that the upload relied on may be gone: the client repeats it
      if (status === 503) expect(await upload(root, 'acme/race', content)).toBe(200);
      else expect(status).toBe(200);
      expect(await download(root, 'acme/race', content)).toEqual(content.bytes);
    }
    expect(await statisticsOf(id)).toMatchObject({ lfsObjectsSize: 10_000n });
  });

  test('are deleted though another one cannot be', async () => {
    const [stuck, content] = [await unlinked('acme/stuck'), await unlinked('acme/next')];
    await rm(pathOf(stuck));
    await mkdir(pathOf(stuck));
    await db.lfsObject.updateMany({ data: { unlinkedAt: twoDaysAgo() } });
    const { oid } = stuck;
    const unlinkedAt = new Date(twoDaysAgo().getTime() - 1_000);
    await db.lfsObject.update({ where: { oid }, data: { unlinkedAt } });
    await expect(deleteUnlinkedObjects({ db, lfs })).rejects.toThrow();
    expect([await contentAt(content), await recordOf(content)]).toEqual([null, null]);
    expect(await recordOf(stuck)).not.toBeNull();
    await rm(pathOf(stuck), { recursive: true });
    await deleteUnlinkedObjects({ db, lfs });
    expect(await recordOf(stuck)).toBeNull();
  });

  test('deleting again after a crash finishes it', async () => {
    const content = await unlinked('acme/crash');
    await db.lfsObject.updateMany({ data: { unlinkedAt: twoDaysAgo() } });
    await rm(pathOf(content));
    await deleteUnlinkedObjects({ db, lfs });
    expect(await recordOf(content)).toBeNull();
  });
});

describe('sizes', () => {
  test('are those of the objects of a project, and of the projects of a group', async () => {
    await seed.group('sizes', {});
    const projects = [await seed.project('sizes/a', {}), await seed.project('sizes/b', {})];
    const [one, two] = [randomContent(30), randomContent(4)];
    for (const path of ['sizes/a', 'sizes/b']) expect(await upload(root, path, one)).toBe(200);
    const action = await actionOf(root, 'sizes/b', 'upload', two);
    for (const _ of [1, 2]) expect((await put(action, two.bytes)).status).toBe(200);
    const sizes = await Promise.all(projects.map(({ id }) => statisticsOf(id)));
    expect(sizes.map(({ lfsObjectsSize }) => lfsObjectsSize)).toEqual([30n, 34n]);
    const { body } = await as(root).get('/groups?statistics=true&search=sizes');
    expect(body).toMatchObject([{ statistics: { lfs_objects_size: 64 } }]);
    const query = '{ project(id: "sizes/b") { lfsEnabled statistics { lfsObjectsSize } } }';
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Private-Token': root.token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(await response.json()).toMatchObject({
      data: { project: { lfsEnabled: true, statistics: { lfsObjectsSize: 34 } } },
    });
  });
});

describe('an upload', () => {
  const inProgress = async () => {
    const names = await readdir(join(dataFolder, 'lfs', 'tmp'), { recursive: true });
    return names.filter((name) => name.includes('/') && !name.endsWith('/maker'));
  };

  test('that fails leaves no file', async () => {
    const { id } = await seed.project('acme/fails', {});
    const content = randomContent(100);
    const file = await incoming.receive(
      content.oid,
      (async function* () {
        yield content.bytes;
      })(),
    );
    const failure = lfs.keep({ projectId: id, oid: content.oid, file }, async (place) => {
      await place();
      throw new Error('no record');
    });
    await expect(failure).rejects.toThrow('no record');
    expect(await contentAt(content)).toBeNull();
    expect(await inProgress()).toEqual([]);
  });

  test('that fails leaves the file of another upload of the same content', async () => {
    const { id } = await seed.project('acme/both', {});
    const content = randomContent(100);
    const file = await incoming.receive(
      content.oid,
      (async function* () {
        yield content.bytes;
      })(),
    );
    const failure = lfs.keep({ projectId: id, oid: content.oid, file }, async (place) => {
      await place();
      expect(await upload(root, 'acme/both', content)).toBe(200);
      throw new Error('no record');
    });
    await expect(failure).rejects.toThrow('no record');
    expect(await download(root, 'acme/both', content)).toEqual(content.bytes);
  });

  test('that a kill cut off is settled by its record', async () => {
    const { id } = await seed.project('acme/cut', {});
    const [recorded, unrecorded] = [randomContent(100), randomContent(100)];
    expect(await upload(root, 'acme/cut', recorded)).toBe(200);
    await mkdir(dirname(pathOf(unrecorded)), { recursive: true });
    await writeFile(pathOf(unrecorded), unrecorded.bytes);
    const left = join(dataFolder, 'lfs', 'tmp', 'left');
    await mkdir(left);
    await writeFile(join(left, 'maker'), 'another-machine 1 1');
    await writeFile(join(left, 'half'), 'half of an obj');
    for (const { oid } of [recorded, unrecorded])
      await writeFile(join(left, `project.${id}.${oid}-1`), '');
    await settleMarks(lfsRoot(dataFolder), settle, new Date(Date.now() + 60_000));
    expect(await contentAt(recorded)).toEqual(recorded.bytes);
    expect(await contentAt(unrecorded)).toBeNull();
    expect(await readdir(join(dataFolder, 'lfs', 'tmp'))).not.toContain('left');
  });

  test('replaces a content that has been lost', async () => {
    await seed.project('acme/lost', {});
    await seed.project('acme/finder', {});
    const content = randomContent(100);
    expect(await upload(root, 'acme/lost', content)).toBe(200);
    await rm(pathOf(content));
    expect(await upload(root, 'acme/finder', content)).toBe(200);
    expect(await download(root, 'acme/lost', content)).toEqual(content.bytes);
  });
});

describe('millrace doctor', () => {
  const findings = async () => {
    const { code, stdout } = await run(['doctor']);
    return {
      code,
      lines: stdout.split('\n').filter((line) => /LFS/.test(line) && !line.startsWith('ok')),
    };
  };

  test('finds objects that are missing, and files without a record', async () => {
    await seed.project('acme/doctor', {});
    const content = randomContent(100);
    expect(await upload(root, 'acme/doctor', content)).toBe(200);
    expect((await findings()).code).toBe(0);
    await rename(pathOf(content), `${pathOf(content)}-away`);
    expect(await findings()).toMatchObject({
      code: 1,
      lines: [expect.stringContaining(pathOf(content))],
    });
    await rename(`${pathOf(content)}-away`, pathOf(content));
    const unknown = pathOf(randomContent(1));
    await mkdir(dirname(unknown), { recursive: true });
    await writeFile(unknown, '');
    const yesterday = new Date(Date.now() - 86_400_000);
    await utimes(unknown, yesterday, yesterday);
    expect(await findings()).toMatchObject({ code: 0, lines: [expect.stringContaining(unknown)] });
    await rm(unknown);
  });
});
