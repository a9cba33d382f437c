import { parseExpiry } from '../kernel/expiry.ts';
import {
  type Check,
  flag,
  isAbsent,
  isBlank,
  isText,
  keysOf,
  list,
  mapping,
  mappingOrText,
  oneOf,
  pairs,
  pattern,
  refs,
  text,
  textOrTexts,
  texts,
} from './checks.ts';
import { isMapping } from './yaml.ts';

/** The problem with an entry, as a sentence with its path; null when there is none. */
type Fault = (place: string, value: unknown) => string | null;

const first = <T>(items: Iterable<T>, faultOf: (item: T) => string | null): string | null => {
  for (const item of items) {
    const fault = faultOf(item);
    if (fault !== null) return fault;
  }
  return null;
};

/** `rspec config should be …`: the entry as a whole. */
const whole =
  (...checks: readonly Check[]): Fault =>
  (place, value) =>
    first(checks, (check) => {
      const problem = check(value);
      return problem === null ? null : `${place} config ${problem}`;
    });

/** `rspec allow failure should be …`: a key of the entry, if present. */
const inside =
  (key: string, check: Check, name = key.replaceAll('_', ' ')): Fault =>
  (place, value) => {
    const inner = isMapping(value) ? value[key] : undefined;
    const problem = isAbsent(inner) ? null : check(inner);
    return problem === null ? null : `${place} ${name} ${problem}`;
  };

const needed =
  (key: string): Fault =>
  (place, value) =>
    isMapping(value) && isBlank(value[key]) ? `${place} ${key} can't be blank` : null;

/** A nested entry with a path of its own. */
const below =
  (key: string, fault: Fault): Fault =>
  (place, value) => {
    const inner = isMapping(value) ? value[key] : undefined;
    return isAbsent(inner) ? null : fault(place === '' ? key : `${place}:${key}`, inner);
  };

const all =
  (...faults: readonly Fault[]): Fault =>
  (place, value) =>
    first(faults, (fault) => fault(place, value));

const named = [needed('name'), inside('name', text), inside('entrypoint', texts)];

const image = all(whole(mappingOrText, keysOf(['name', 'entrypoint'])), ...named);

const service = all(
  whole(mappingOrText, keysOf(['name', 'entrypoint', 'command', 'alias'])),
  ...named,
  inside('command', texts),
  inside('alias', text),
);

const services: Fault = (place, value) =>
  whole(list)(place, value) ??
  first(Array.isArray(value) ? value : [], (item) => service('service', item));

const keyFault: Check = (value) => {
  if (!isText(value)) return 'should be a string or symbol';
  if (value.includes('/')) return 'cannot contain the "/" character';
  return /^(\.|%2e){1,2}$/i.test(value) ? 'cannot be "." or ".."' : null;
};

const cache = all(
  whole(mapping, keysOf(['key', 'untracked', 'paths', 'policy'])),
  inside('policy', oneOf(['pull-push', 'push', 'pull'], 'should be pull-push, push, or pull')),
  below('key', whole(keyFault)),
  below('untracked', whole(flag)),
  below('paths', whole(texts)),
);

const duration: Check = (value) =>
  (isText(value) || typeof value === 'number') && parseExpiry(String(value)) !== null
    ? null
    : 'should be a duration';

const artifacts = all(
  whole(mapping, keysOf(['name', 'untracked', 'paths', 'when', 'expire_in'])),
  inside('name', text),
  inside('untracked', flag),
  inside('paths', texts),
  inside(
    'when',
    oneOf(['on_success', 'on_failure', 'always'], 'should be on_success, on_failure or always'),
  ),
  inside('expire_in', duration),
);

const environment = all(
  whole(mappingOrText, keysOf(['name', 'url', 'action', 'on_stop'])),
  needed('name'),
  inside('name', text),
  inside('url', text),
  inside('action', oneOf(['start', 'stop'], 'should be start or stop')),
  inside('on_stop', text),
);

const policy: Fault = (place, value) => {
  if (Array.isArray(value)) return whole(refs)(place, value);
  if (!isMapping(value)) return `${place} has to be either an array of conditions or a hash`;
  return all(
    whole(keysOf(['refs', 'kubernetes']), (given) => (isBlank(given) ? "can't be blank" : null)),
    inside('refs', refs),
    inside('kubernetes', oneOf(['active'], 'unknown value: kubernetes')),
  )(place, value);
};

const jobKeys =
  `tags script only except type image services allow_failure stage when artifacts cache dependencies
  before_script after_script variables environment coverage retry`.split(/\s+/);

const retries: Check = (value) => {
  if (typeof value !== 'number') return 'is not a number';
  if (!Number.isInteger(value)) return 'must be an integer';
  if (value < 0) return 'must be greater than or equal to 0';
  return value > 2 ? 'must be less than or equal to 2' : null;
};

const whens = oneOf(
  ['on_success', 'on_failure', 'always', 'manual'],
  'should be on_success, on_failure, always or manual',
);

const job = all(
  whole(mapping, keysOf(jobKeys)),
  needed('script'),
  inside('tags', texts),
  inside('allow_failure', flag),
  inside('retry', retries),
  inside('when', whens),
  inside('dependencies', texts),
  below('before_script', whole(texts)),
  below('script', whole(textOrTexts)),
  below('stage', whole(text)),
  below('type', whole(text)),
  below('after_script', whole(texts)),
  below('cache', cache),
  below('image', image),
  below('services', services),
  below('only', policy),
  below('except', policy),
  below('variables', whole(pairs)),
  below('artifacts', artifacts),
  below('environment', environment),
  below('coverage', whole(pattern)),
);

const globals = all(
  below('before_script', whole(texts)),
  below('image', image),
  below('services', services),
  below('after_script', whole(texts)),
  below('variables', whole(pairs)),
  below('stages', whole(texts)),
  below('types', whole(texts)),
  below('cache', cache),
);

const globalKeys: ReadonlySet<string> = new Set(
  'before_script image services after_script variables stages types cache'.split(' '),
);

/** The jobs of a file without hidden ones. */
export const visibleJobs = (file: Readonly<Record<string, unknown>>) =>
  Object.entries(file).filter(([name]) => !globalKeys.has(name) && !name.startsWith('.'));

/** The first problem with the entries of a file, with the texts of v4; null when there is none. */
export function entryFault(file: Readonly<Record<string, unknown>>): string | null {
  const jobs = visibleJobs(file);
  const fault =
    globals('', file) ??
    (jobs.length === 0 ? 'jobs config should contain at least one visible job' : null) ??
    first(jobs, ([name, given]) => job(`jobs:${name}`, given));
  return fault === null ? null : fault.toLowerCase();
}
