import { type HostileCase, statusOf } from './case.ts';
import { endlessCiFile, hostileCiFiles } from './ci-texts.ts';
import type { HostileTarget } from './target.ts';

type Send = (target: HostileTarget, text: string) => Promise<number>;

const asJson = (token: string | null, body: object): RequestInit => ({
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    ...(token !== null && { 'Private-Token': token }),
  },
  body: JSON.stringify(body),
});

const lint: Send = ({ url }, content) =>
  statusOf(fetch(`${url}/api/v4/ci/lint`, asJson(null, { content })));

const lintByGraphql: Send = ({ graphql }, content) =>
  statusOf(
    graphql('query ($content: String!) { ciFileFaults(content: $content) }', {
      variables: { content },
    }),
  );

/** SOAP has no status of its own: 200 stands for a result, 400 for a fault. */
const lintBySoap: Send = async ({ soap, attacker }, content) => {
  const told = await soap.as(attacker)('ci.lint', { content });
  return 'fault' in told ? 400 : 200;
};

let branches = 0;

/** Commits the file to a branch of its own, which makes a pipeline, and then asks for another one. */
const createPipeline: Send = async ({ url, attacker, project }, content) => {
  branches += 1;
  const branch = `hostile-${branches}`;
  const api = `${url}/api/v4/projects/${project.id}`;
  const committed = await statusOf(
    fetch(
      `${api}/repository/files/.gitlab-ci.yml`,
      asJson(attacker.token, {
        branch,
        start_branch: 'master',
        content,
        commit_message: 'Add a CI file',
      }),
    ),
  );
  if (committed !== 201) return committed;
  return statusOf(fetch(`${api}/pipeline`, asJson(attacker.token, { ref: branch })));
};

const texts = Object.entries(hostileCiFiles);
const some = texts.filter((_, place) => place % 5 === 0);

const casesBy = (
  way: string,
  send: Send,
  expected: number,
  chosen: readonly (readonly [string, string])[],
): readonly HostileCase[] =>
  chosen.map(([title, text]) => ({
    title: `${title} ${way}`,
    expected: [expected],
    send: (target) => send(target, text),
  }));

const endless = [['a CI file that takes minutes to expand', endlessCiFile]] as const;

/** CI files through each interface that reads them. */
export const ciFileCases: readonly HostileCase[] = [
  ...casesBy('in POST /ci/lint', lint, 200, texts),
  ...casesBy('in POST /ci/lint', lint, 400, endless),
  ...casesBy('in ciFileFaults', lintByGraphql, 200, [...some, ...endless]),
  ...casesBy('in ci.lint of SOAP', lintBySoap, 200, some),
  ...casesBy('in ci.lint of SOAP', lintBySoap, 400, endless),
  ...casesBy('as .gitlab-ci.yml', createPipeline, 400, [...some, ...endless]),
];
