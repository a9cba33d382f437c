import git from 'isomorphic-git';
import { trimEdges } from '../../schema/kernel/trim.ts';
import type { RepositoryAddress } from '../../schema/ports/git.ts';
import type { NewTag, Writer } from '../../schema/ports/git-writing.ts';
import { repositoryFolder, type Storages } from './address.ts';
import { objectFiles } from './object-files.ts';

/** Writes tag objects. */
export function tagWriter(storages: Storages) {
  const writeTag = (repository: RepositoryAddress, { name, target, message, tagger }: NewTag) =>
    git.writeTag({
      fs: objectFiles,
      gitdir: repositoryFolder(storages, repository),
      tag: {
        object: target,
        type: 'commit',
        tag: name,
        tagger: signed(tagger),
        message,
      },
    });
  return { writeTag };
}

/** A name and address as git's own program would write them, here and now: the server's clock is UTC. */
export const signed = ({ name, email }: Writer, at = new Date()) => ({
  name: cleaned(name) || cleaned(email) || 'nobody',
  email: cleaned(email),
  timestamp: Math.floor(at.getTime() / 1000),
  timezoneOffset: 0,
});

/** What would end a signature's line or its parts is left out. */
const cleaned = (text: string) => trimEdges(text.replace(/[\0\n\r<>]/g, ''), /[\s.,:;"'\\]/);
