import { type HostileCase, statusOf } from './case.ts';
import { expandingCiFiles, hostileCiFiles } from './ci-texts.ts';
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
    graphql('query ($content: String!) { ciLint(content: $content) { isValid } }', {
      variables: { content },
    }),
  );

/** SOAP has no REST status: 200 means a result, 400 a fault. */
const lintBySoap: Send = async ({ soap, attacker }, content) => {
  const outcome = await soap.as(attacker)('ci.lint', { content });
  return 'fault' in outcome ? 400 : 200;
};

let branches = 0;

/** Commits the file to a new branch, which creates a pipeline, and then requests another pipeline. */
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
const sample = texts.filter((_, index) => index % 5 === 0);

const casesBy = (
  interfaceName: string,
  send: Send,
  expected: readonly number[],
  chosen: readonly (readonly [string, string])[],
): readonly HostileCase[] =>
  chosen.map(([title, text]) => ({
    title: `${title} ${interfaceName}`,
    expected,
    send: (target) => send(target, text),
  }));

const expanding = Object.entries(expandingCiFiles);

/** CI files sent through each interface that parses them. */
export const ciFileCases: readonly HostileCase[] = [
  ...casesBy('in POST /ci/lint', lint, [200], texts),
  // a file that takes too long would be answered with 400
  ...casesBy('in POST /ci/lint', lint, [200], expanding),
  ...casesBy('in ciLint', lintByGraphql, [200], [...sample, ...expanding]),
  ...casesBy('in ci.lint of SOAP', lintBySoap, [200], [...sample, ...expanding]),
  ...casesBy('as .gitlab-ci.yml', createPipeline, [400], sample),
  // some are valid
  ...casesBy('as .gitlab-ci.yml', createPipeline, [201, 400], expanding),
];
