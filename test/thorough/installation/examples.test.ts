import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileCache } from '../../support/compile-cache.ts';
import { type CodeBlock, codeBlocks, userDocuments } from '../../support/documentation.ts';
import { freePort } from '../../support/free-port.ts';
import { rootToken, type ServerProcess, startProcess } from '../../support/process.ts';

const run = promisify(execFile);

let server: ServerProcess;
let folder: string;
let receiverPort: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-examples-'));
  // where tests run as root, the account of the runner's jobs must reach its work folder
  await chmod(folder, 0o711);
  receiverPort = await freePort();
  server = await startProcess(await freePort(), {
    MILLRACE_DATA: join(folder, 'var'),
    MILLRACE_RUNNER: 'shell',
    MILLRACE_ALLOW_LOCAL_REQUESTS: 'on',
  });
});

afterAll(async () => {
  await server.kill('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

/** The code for this server, and for this port of a webhook receiver. */
const local = (code: string): string =>
  code
    .replaceAll('http://localhost:8080', server.url)
    .replaceAll('localhost:8080', server.url.replace('http://', ''))
    .replaceAll('localhost:9000', `localhost:${receiverPort}`)
    .replaceAll('listen(9000', `listen(${receiverPort}`);

const nextBlock = '--- next block ---';

/** Failing responses end a script, which curl alone does not do. */
const preamble = `
curl() { command curl --fail-with-body --silent --show-error "$@"; }
millrace-runner() { ${JSON.stringify(process.execPath)} ${resolve('server/runner/main.ts')} "$@"; }
millrace() { ${JSON.stringify(process.execPath)} ${resolve('server/millrace.ts')} "$@"; }
npx() { "$@"; }
`;

/** Runs the blocks as one script, as a reader does in one terminal; gives what each block printed. */
async function runScript(blocks: readonly CodeBlock[]): Promise<readonly string[]> {
  const script = blocks.map(({ code }) => local(code)).join(`\necho '${nextBlock}'\n`);
  const env = {
    PATH: process.env.PATH ?? '',
    ...compileCache(),
    HOME: folder,
    LC_ALL: 'C.UTF-8',
  };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', preamble + script], {
    cwd: folder,
    env,
  });
  return stdout.split(`${nextBlock}\n`);
}

/** Runs a program as a file; zeep gets the schema that it downloads elsewhere. */
async function runProgram({ language, code }: CodeBlock): Promise<string> {
  const file = join(folder, `example.${language}`);
  await writeFile(file, local(code));
  const encoding = 'node_modules/strong-soap/xsds/soap-encoding.xsd';
  const command =
    language === 'php'
      ? ['php', file]
      : ['/usr/bin/python3', '-B', 'test/fixtures/soap/offline.py', encoding, file];
  const { stdout } = await run(command[0] ?? '', command.slice(1));
  return stdout;
}

const send = async (path: string, body: object): Promise<unknown> => {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'PRIVATE-TOKEN': rootToken },
    body: JSON.stringify(body),
  });
  return response.json();
};

/** `…` stands for any text. */
function expectOutput(printed: string, { code }: CodeBlock): void {
  let remaining = printed;
  for (const part of code.split('…').map((text) => local(text).trim())) {
    expect(remaining).toContain(part);
    remaining = remaining.slice(remaining.indexOf(part) + part.length);
  }
}

// README first: the other documents use the project of its tour
test.each(userDocuments)('the examples of %s work as written', async (document) => {
  const blocks = codeBlocks(document);
  const scripts = blocks.filter(
    ({ language, marks }) => language === 'sh' && marks.includes('run'),
  );
  for (const { marks, code } of blocks) {
    const file = marks.find((mark) => mark.startsWith('file='))?.slice('file='.length);
    if (file) await writeFile(join(folder, file), local(code));
  }
  const printed = scripts.length > 0 ? await runScript(scripts) : [];
  let output = '';
  for (const block of blocks) {
    if (block.marks.includes('output')) expectOutput(output, block);
    if (block.marks.includes('ci')) {
      expect(await send('/api/v4/ci/lint', { content: block.code })).toEqual({
        status: 'valid',
        errors: [],
      });
    }
    if (!block.marks.includes('run')) continue;
    if (block.language === 'sh') {
      output = printed[scripts.indexOf(block)] ?? '';
    } else if (block.language === 'graphql') {
      const result = await send('/graphql', { query: block.code });
      expect(result).not.toHaveProperty('errors');
      output = JSON.stringify(result);
    } else {
      output = await runProgram(block);
    }
  }
});

test('the tour of README leaves a project that is cloned back and builds', async () => {
  expect(await readFile(join(folder, 'app-again', 'README.md'), 'utf8')).toBe('# App\n');
  await expect
    .poll(async () => {
      const response = await fetch(`${server.url}/api/v4/projects/tools%2Fapp/pipelines`, {
        headers: { 'PRIVATE-TOKEN': rootToken },
      });
      const pipelines = (await response.json()) as readonly { readonly status: string }[];
      return pipelines.map(({ status }) => status).at(-1);
    })
    .toBe('success');
});
