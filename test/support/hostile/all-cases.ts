import type { HostileCase } from './case.ts';
import { ciFileCases } from './ci-files.ts';
import { fileCases } from './files.ts';
import { gitCases } from './git-protocol.ts';
import { graphqlCases } from './graphql.ts';
import { hookCases } from './hooks.ts';
import { manyFilesCases } from './many-files.ts';
import { markdownCases } from './markdown.ts';
import { pageCases } from './pages.ts';
import { restParameterCases } from './rest-parameters.ts';
import { soapCases } from './soap.ts';
import { streamCases } from './streams.ts';
import { traceCases } from './traces.ts';

/** Every hostile request, by the interface that it is sent through. */
export const hostileCases: Readonly<Record<string, readonly HostileCase[]>> = {
  'CI files': ciFileCases,
  Markdown: markdownCases,
  'REST parameters': restParameterCases,
  SOAP: soapCases,
  git: [...gitCases, ...manyFilesCases],
  pages: pageCases,
  files: fileCases,
  'web hooks': hookCases,
  streams: streamCases,
  'GraphQL documents': graphqlCases,
  traces: traceCases,
};
