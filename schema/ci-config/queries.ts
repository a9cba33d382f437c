import { builder } from '../kernel/builder.ts';
import { readCiFile } from './read.ts';

builder.queryField('ciFileFaults', (t) =>
  t.stringList({
    description: 'What is wrong with a CI file; empty when a pipeline could be made of it.',
    args: { content: t.arg.string({ required: true }) },
    resolve: (_root, { content }) => {
      if (content.trim() === '') return ['Please provide content of .gitlab-ci.yml'];
      const read = readCiFile(content);
      return 'problem' in read ? [read.problem] : [];
    },
  }),
);
