import git from 'isomorphic-git';
import type { RepositoryAddress } from '../../../schema/ports/git/address.ts';
import type { NewTag } from '../../../schema/ports/git/writing.ts';
import { repositoryFolder, type Storages } from '../address.ts';
import { objectFiles } from '../objects/object-files.ts';
import { signedBy } from '../objects/signature.ts';

export function tagWriter(storages: Storages) {
  const writeTag = (repository: RepositoryAddress, { name, target, message, tagger }: NewTag) =>
    git.writeTag({
      fs: objectFiles,
      gitdir: repositoryFolder(storages, repository),
      tag: {
        object: target,
        type: 'commit',
        tag: name,
        tagger: signedBy(tagger),
        message,
      },
    });
  return { writeTag };
}
