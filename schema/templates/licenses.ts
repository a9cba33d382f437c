import { readFileSync } from 'node:fs';

/** What a licence permits, requires and excludes, in the keywords of choosealicense.com. */
interface Terms {
  readonly permissions: readonly string[];
  readonly conditions: readonly string[];
  readonly limitations: readonly string[];
}

export interface License extends Terms {
  readonly key: string;
  readonly name: string;
  readonly nickname: string | null;
  readonly isPopular: boolean;
  /** Where the licence is published. */
  readonly sourceUrl: string;
  readonly description: string;
}

interface LicenseFacts {
  readonly name: string;
  readonly nickname?: string;
  readonly isPopular?: true;
  readonly source: string;
  readonly description: string;
  readonly terms: Terms;
}

const use = ['commercial-use', 'modifications', 'distribution', 'private-use'];
const useWithPatents = [
  'commercial-use',
  'modifications',
  'distribution',
  'patent-use',
  'private-use',
];
const noLiability = ['liability', 'warranty'];
const noTrademarks = ['trademark-use', ...noLiability];
const copyleft = ['include-copyright', 'document-changes', 'disclose-source'];

const permissive = (...conditions: readonly string[]): Terms => ({
  permissions: use,
  conditions,
  limitations: noLiability,
});

const reciprocal = (permissions: readonly string[], ...conditions: readonly string[]): Terms => ({
  permissions,
  conditions,
  limitations: noLiability,
});

const gnu = 'https://www.gnu.org/licenses';

const facts: Readonly<Record<string, LicenseFacts>> = {
  'agpl-3.0': {
    name: 'GNU Affero General Public License v3.0',
    nickname: 'GNU AGPLv3',
    source: `${gnu}/agpl-3.0.txt`,
    description:
      'Requires the source code of the work and of larger works that use it, also from those who offer it as a service over a network.',
    terms: reciprocal(useWithPatents, ...copyleft, 'network-use-disclose', 'same-license'),
  },
  'apache-2.0': {
    name: 'Apache License 2.0',
    isPopular: true,
    source: 'https://www.apache.org/licenses/LICENSE-2.0.txt',
    description:
      'Permits all uses that keep its notices and state changes, and grants the patents of contributors.',
    terms: {
      permissions: useWithPatents,
      conditions: ['include-copyright', 'document-changes'],
      limitations: noTrademarks,
    },
  },
  'bsd-2-clause': {
    name: 'BSD 2-Clause "Simplified" License',
    source: 'https://opensource.org/license/bsd-2-clause',
    description: 'Permits all uses that keep the copyright notice and the disclaimer.',
    terms: permissive('include-copyright'),
  },
  'bsd-3-clause': {
    name: 'BSD 3-Clause "New" or "Revised" License',
    nickname: 'Modified BSD License',
    source: 'https://opensource.org/license/bsd-3-clause',
    description:
      'The same as the licence with two clauses. The names of the authors must not be used to promote what is made of it.',
    terms: permissive('include-copyright'),
  },
  'bsl-1.0': {
    name: 'Boost Software License 1.0',
    source: 'https://www.boost.org/LICENSE_1_0.txt',
    description: 'Permits all uses; compiled programs need not contain its notices.',
    terms: permissive('include-copyright--source'),
  },
  'cc0-1.0': {
    name: 'Creative Commons Zero v1.0 Universal',
    source: 'https://creativecommons.org/publicdomain/zero/1.0/legalcode.txt',
    description: 'Waives all rights of the authors, as far as the law permits it.',
    terms: {
      permissions: use,
      conditions: [],
      limitations: ['liability', 'trademark-use', 'patent-use', 'warranty'],
    },
  },
  'epl-2.0': {
    name: 'Eclipse Public License 2.0',
    source: 'https://www.eclipse.org/legal/epl-2.0/',
    description:
      'Requires the source code of changes, grants patents, and permits other licences for larger works.',
    terms: reciprocal(useWithPatents, 'disclose-source', 'include-copyright', 'same-license'),
  },
  'gpl-2.0': {
    name: 'GNU General Public License v2.0',
    nickname: 'GNU GPLv2',
    source: `${gnu}/old-licenses/gpl-2.0.txt`,
    description: 'Requires the source code of the work and of larger works that contain it.',
    terms: reciprocal(use, ...copyleft, 'same-license'),
  },
  'gpl-3.0': {
    name: 'GNU General Public License v3.0',
    nickname: 'GNU GPLv3',
    isPopular: true,
    source: `${gnu}/gpl-3.0.txt`,
    description:
      'Requires the source code of the work and of larger works that contain it, and grants the patents of contributors.',
    terms: reciprocal(useWithPatents, ...copyleft, 'same-license'),
  },
  'lgpl-2.1': {
    name: 'GNU Lesser General Public License v2.1',
    nickname: 'GNU LGPLv2.1',
    source: `${gnu}/old-licenses/lgpl-2.1.txt`,
    description:
      'Requires the source code of a library, and permits programs of other licences to use it.',
    terms: reciprocal(use, ...copyleft, 'same-license--library'),
  },
  'lgpl-3.0': {
    name: 'GNU Lesser General Public License v3.0',
    nickname: 'GNU LGPLv3',
    source: `${gnu}/lgpl-3.0.txt`,
    description:
      'Adds permissions for programs that use a library to the GNU General Public License v3.0.',
    terms: reciprocal(useWithPatents, ...copyleft, 'same-license--library'),
  },
  mit: {
    name: 'MIT License',
    isPopular: true,
    source: 'https://opensource.org/license/mit',
    description: 'Permits all uses that keep the copyright notice and the licence.',
    terms: permissive('include-copyright'),
  },
  'mpl-2.0': {
    name: 'Mozilla Public License 2.0',
    source: 'https://www.mozilla.org/media/MPL/2.0/index.txt',
    description:
      'Requires the source code of changed files, grants patents, and permits other licences for other files.',
    terms: {
      permissions: useWithPatents,
      conditions: ['disclose-source', 'include-copyright', 'same-license--file'],
      limitations: noTrademarks,
    },
  },
  unlicense: {
    name: 'The Unlicense',
    source: 'https://unlicense.org/UNLICENSE',
    description: 'Dedicates the work to the public, without conditions.',
    terms: permissive(),
  },
};

/** All licences, by key. */
export const licenses: ReadonlyMap<string, License> = new Map(
  Object.entries(facts).map(([key, { name, nickname, isPopular, source, description, terms }]) => [
    key,
    {
      ...{ key, name, description, sourceUrl: source, ...terms },
      nickname: nickname ?? null,
      isPopular: isPopular ?? false,
    },
  ]),
);

const texts = new Map<string, string>();

/** The published text of a licence, with placeholders; read when it is first needed. */
export function licenseText({ key }: License): string {
  let text = texts.get(key);
  if (text === undefined) {
    text = readFileSync(new URL(`data/licenses/${key}.txt`, import.meta.url), 'utf8');
    texts.set(key, text);
  }
  return text;
}

const yearPlaceholder = /\[year\]|\[yyyy\]|<year>/g;
const ownerPlaceholder = /\[fullname\]|\[name of copyright owner\]|<name of author>/g;
const projectPlaceholder =
  /<program>|<one line to give the (?:program|library)'s name and a brief idea of what it does\.>/g;

/** What a text is filled with. */
export interface Work {
  readonly year: number;
  readonly owner: string | null;
  readonly project: string | null;
}

/** The text of a licence for a work; what is unknown of the work stays a placeholder. */
export function filledText(license: License, { year, owner, project }: Work): string {
  // by functions, because a replacement text may contain patterns such as `$&`
  const fill = (text: string, placeholder: RegExp, value: string | null) =>
    value ? text.replace(placeholder, () => value) : text;
  const dated = fill(licenseText(license), yearPlaceholder, String(year));
  return fill(fill(dated, ownerPlaceholder, owner), projectPlaceholder, project);
}
