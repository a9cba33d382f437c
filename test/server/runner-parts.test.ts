import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../server/runner/config.ts';
import { fits } from '../../server/runner/globs.ts';
import { jobShape } from '../../server/runner/job.ts';
import { openJournal } from '../../server/runner/journal.ts';
import { maskingOf } from '../../server/runner/masking.ts';
import { scriptOf } from '../../server/runner/script.ts';
import { expandText, expandVariables, maxValueBytes } from '../../server/runner/variables.ts';

const folder = await mkdtemp(join(tmpdir(), 'millrace-runner-parts-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('masking', () => {
  const masked = (secrets: readonly string[], ...pieces: readonly (string | Uint8Array)[]) => {
    const masking = maskingOf(secrets);
    const output = pieces.map((piece) => masking.next(Buffer.from(piece as string)));
    return Buffer.concat([...output, masking.end()]).toString();
  };

  test('masks a secret across any chunk boundary', () => {
    const text = 'key=geheim-ñ-wort; again geheim-ñ-wort.';
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
      expect(masked(['geheim-ñ-wort'], ...pieces)).toBe('key=[MASKED]; again [MASKED].');
    }
    const each = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(masked(['geheim-ñ-wort'], ...each)).toBe('key=[MASKED]; again [MASKED].');
  });

  test.each([
    [
      'a secret that starts like another',
      ['secret', 'secret-longer'],
      'a secret-longer b',
      'a [MASKED] b',
    ],
    ['two secrets that overlap', ['abcdef', 'efghij'], 'xabcdefghijx', 'x[MASKED]x'],
    ['each line of a secret', ['line one\nline two\r\n}'], 'line two, }', '[MASKED], }'],
    ['no short values', ['yes', 'prod'], 'yes, prod', 'yes, prod'],
    ['no incomplete secret', ['abcdef'], 'abcde', 'abcde'],
    [
      'special characters of regular expressions',
      ['a.*(b)[$'],
      'a.*(b)[$ axx(b)[$',
      '[MASKED] axx(b)[$',
    ],
  ])('hides %s', (_, secrets, text, shown) => {
    expect(masked(secrets, text)).toBe(shown);
    expect(masked(secrets, ...text)).toBe(shown);
  });

  test('text that cannot be part of a secret is output immediately', () => {
    const masking = maskingOf(['abcdef']);
    expect(masking.next(Buffer.from('xyzabc')).toString()).toBe('xyz');
    expect(masking.next(Buffer.from('x')).toString()).toBe('abcx');
  });
});

describe('variables', () => {
  const read = (...input: readonly (readonly [string, string, boolean?])[]) =>
    Object.fromEntries(
      expandVariables(input.map(([key, value, raw]) => ({ key, value, raw: raw ?? false }))),
    );

  test.each([
    [
      [
        ['A', 'x'],
        ['B', '$A-$\x7BA}'],
      ],
      { A: 'x', B: 'x-x' },
    ],
    [
      [
        ['B', '$A'],
        ['A', 'x'],
      ],
      { A: 'x', B: 'x' },
    ],
    [
      [
        ['A', '1'],
        ['A', '2'],
      ],
      { A: '2' },
    ],
    [
      [
        ['A', '$$HOME $5 $ ${'],
        ['B', '$NONE.'],
      ],
      { A: '$HOME $5 $ ${', B: '.' },
    ],
    [
      [
        ['A', '$B'],
        ['B', 'x$A'],
      ],
      { A: 'x$A', B: 'x$A' },
    ],
    [
      [
        ['A', '$B', true],
        ['B', 'b'],
      ],
      { A: '$B', B: 'b' },
    ],
    [
      [
        ['NOT A NAME', '1'],
        ['1A', '1'],
        ['A', 'b\0c'],
      ],
      { A: 'bc' },
    ],
  ] as [readonly [string, string, boolean?][], object][])('%j are %j', (given, expanded) => {
    expect(read(...given)).toEqual(expanded);
  });

  test('that grow without bounds are rejected', () => {
    const bomb = Array.from({ length: 40 }, (_, n) => [`V${n}`, `$V${n + 1}`.repeat(10)] as const);
    expect(() => read(...bomb, ['V40', 'xxxxxxxxxx'])).toThrow(
      new RegExp(`the variable V\\d+ is longer than ${maxValueBytes} bytes`),
    );
  });

  test('are expanded in texts', () => {
    expect(expandText('$A/$\x7BB}$$', new Map([['A', 'x']]))).toBe('x/$');
  });
});

describe('patterns of paths', () => {
  test.each([
    ['out', 'out', true],
    ['out/deep/file', 'out', true],
    ['output', 'out', false],
    ['a/b.o', '*.o', false],
    ['b.o', '*.o', true],
    ['a/b/c.log', '**/*.log', true],
    ['c.log', '**/*.log', true],
    ['a/x/y/z', 'a/**/z', true],
    ['a/z', 'a/**/z', true],
    ['.hidden', '*', true],
    ['file1', 'file[0-3]', true],
    ['file7', 'file[!0-3]', true],
    ['file]', 'file[]]', true],
    ['a*b', 'a\\*b', true],
    ['axb', 'a\\*b', false],
    ['ä🙂c', '??c', true],
    ['ab', 'a?b', false],
  ])('%s matches %s: %s', (path, pattern, isFitting) => {
    expect(fits(path.split('/'), pattern.split('/'))).toBe(isFitting);
  });

  test('no pattern takes exponential time', () => {
    const segments = Array.from({ length: 60 }, () => 'a'.repeat(200));
    const stars = Array.from({ length: 60 }, () => ['**', `${'*a'.repeat(50)}b`]).flat();
    expect(fits(segments, stars)).toBe(false);
    expect(fits(['a'], ['['.repeat(400_000)])).toBe(false);
  });
});

describe('a script', () => {
  test('prints each command before it runs, with any characters', () => {
    const script = scriptOf(["echo 'a' %s \\n", 'if true\nthen echo b; fi'], false);
    expect(script.split('\n').slice(3)).toEqual([
      "printf '\\033[32;1m$ %s\\033[0;m\\n' 'echo '\\''a'\\'' %s \\n'",
      "echo 'a' %s \\n",
      "printf '\\033[32;1m$ %s\\033[0;m\\n' 'if true # of several lines'",
      'if true',
      'then echo b; fi',
      '',
    ]);
  });
});

describe('a job payload', () => {
  const job = {
    id: 1,
    token: 'token',
    job_info: { name: 'unit', stage: 'test', project_id: 2, project_name: 'app' },
    git_info: { repo_url: 'http://x/y.git', ref: 'master', sha: 'a'.repeat(40) },
  };

  test('is accepted with nulls, missing and additional fields', () => {
    const more = { ...job, cache: [null], artifacts: null, hooks: [], steps: [{ name: 'script' }] };
    expect(jobShape.parse(more)).toMatchObject({
      variables: [],
      cache: [],
      artifacts: [],
      dependencies: [],
      steps: [{ name: 'script', script: [] }],
    });
  });

  test('is rejected with an invalid commit id', () => {
    const odd = { ...job, git_info: { ...job.git_info, sha: '--upload-pack=x' } };
    expect(jobShape.safeParse(odd).success).toBe(false);
  });
});

describe('the configuration file of a runner', () => {
  const written = async (text: string) => {
    const path = join(folder, 'config.json');
    await writeFile(path, text);
    return readConfig(path);
  };

  test('needs few fields, the others have defaults', async () => {
    expect(await written('{"url":"http://x.example/","token":"t"}')).toEqual({
      url: 'http://x.example',
      token: 't',
      description: '',
      concurrent: 1,
      workFolder: folder,
      cloneUrl: null,
      checkInterval: 3,
      outputLimit: 4 * 1024 * 1024,
      environment: {},
    });
  });

  test.each([
    ['{', 'is invalid'],
    ['{"url":"ftp://x","token":"t"}', 'url'],
    ['{"url":"http://x","token":"t","concurrent":0}', 'concurrent'],
    ['{"url":"http://x","token":"t","bilds":"/x"}', 'bilds'],
  ])('%s is rejected', async (text, why) => {
    await expect(written(text)).rejects.toThrow(why);
  });

  test('that is missing is an error with its path', async () => {
    const path = join(folder, 'none.json');
    await expect(readConfig(path)).rejects.toThrow(`There is no ${path}: register a runner first.`);
  });
});

test('a job of a runner that ended is abandoned, also if another process has its pid', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'runner-journal-'));
  const other = spawn('sleep', ['60']);
  await once(other, 'spawn');
  const stat = await readFile(`/proc/${other.pid}/stat`, 'utf8');
  const startedAt = stat.split(') ')[1]?.split(' ')[19] ?? '';
  const entries = { 1: startedAt, 2: String(Number(startedAt) - 1) };
  for (const [id, start] of Object.entries(entries)) {
    const by = { pid: other.pid, mark: 'other', startedAt: start };
    await writeFile(join(folder, `${id}.json`), JSON.stringify({ id: Number(id), token: 't', by }));
  }
  const abandoned = async () =>
    (await (await openJournal(folder)).abandoned()).map(({ id }) => id).toSorted();
  expect(await abandoned()).toEqual([2]);
  other.kill();
  await once(other, 'exit');
  expect(await abandoned()).toEqual([1, 2]);
  await rm(folder, { recursive: true });
});
