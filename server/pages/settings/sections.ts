import { pathNotFound } from '../../../schema/kernel/errors.ts';
import type { GroupSection, ProjectPage, ProjectSection } from '../frame/sections.ts';
import { splitFirst } from '../kernel/addresses.ts';
import { showCi, submitCi } from './ci-cd.ts';
import { showGroupCi, submitGroupCi } from './group-ci-cd.ts';
import { showHooks, submitHooks } from './hook-pages.ts';
import { showRepository, submitRepository } from './repository.ts';

const below =
  (pages: ReadonlyMap<string, ProjectPage>): ProjectPage =>
  (visit, project, rest) => {
    const [word, after] = splitFirst(rest);
    const page = pages.get(word);
    if (!page) throw pathNotFound();
    return page(visit, project, after);
  };

export const settingsSections: readonly ProjectSection[] = [
  {
    word: 'settings',
    show: below(
      new Map([
        ['repository', showRepository],
        ['ci_cd', showCi],
      ]),
    ),
    submit: below(
      new Map([
        ['repository', submitRepository],
        ['ci_cd', submitCi],
      ]),
    ),
  },
  { word: 'hooks', show: showHooks, submit: submitHooks },
];

export const groupSettingsSections: readonly GroupSection[] = [
  { word: 'settings', show: showGroupCi, submit: submitGroupCi },
];
