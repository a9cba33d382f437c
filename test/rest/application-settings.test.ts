import { beforeEach, describe, expect, test } from 'vitest';
import type { Parameters } from '../support/client.ts';
import { refused, settingsShape } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db, url } = await world();
const ada = await seed.user('ada');
const path = '/application/settings';
const notNegative = 'must be greater than or equal to 0';
const initial = await db.applicationSettings.findUniqueOrThrow({ where: { id: 1 } });

beforeEach(async () => {
  const { id: _, ...columns } = initial;
  await db.applicationSettings.update({ where: { id: 1 }, data: columns });
});

const put = (change: Parameters) => as(root).put(path, change);
const stored = async () => (await as(root).get(path)).body;
const isDocumented = (name: string) =>
  !/^(id|\w+_at|\w+_artifacts_\w+|max_lfs_object_size)$/.test(name);
const settable = Object.keys(settingsShape).filter(isDocumented);

describe('GET /application/settings', () => {
  test('an administrator reads the settings', async () => {
    expect(await as(root).get(path)).toEqual({ status: 200, body: settingsShape });
  });

  test('requires an administrator', async () => {
    expect(await as(ada).get(path)).toEqual(refused.forbidden);
    expect(await as(null).get(path)).toEqual(refused.anonymous);
  });
});

describe('PUT /application/settings', () => {
  test.each([{}, { default_projects_limit: 'x' }, { default_projects_limit: 5 }])(
    'requires an administrator: %o',
    async (change) => {
      expect(await as(ada).put(path, change)).toEqual(refused.forbidden);
      expect(await as(null).put(path, change)).toEqual(refused.anonymous);
      expect(await stored()).toEqual(settingsShape);
    },
  );

  test.each([{}, { no_such_setting: 1, id: 5, created_at: '2001-01-01' }, { signup_enabled: '' }])(
    'requires at least one setting: %o',
    async (change) => {
      const text = `${settable.join(', ')} are missing, at least one parameter must be provided`;
      expect(await put(change)).toEqual(refused.parameter(text));
    },
  );

  test.each<Parameters>([
    { default_projects_limit: 0 },
    { signup_enabled: false },
    { password_authentication_enabled: false },
    { avatar_service_enabled: false },
    { sign_in_text: 'Willkommen 😀' },
    { home_page_url: 'https://example.com/home' },
    { default_branch_protection: 0 },
    { default_branch_protection: 1 },
    { restricted_visibility_levels: ['internal', 'public'] },
    { max_attachment_size: 1 },
    { session_expire_delay: 0 },
    { default_project_visibility: 'internal' },
    { default_snippet_visibility: 'public' },
    { default_group_visibility: 'internal' },
    { domain_whitelist: ['example.com', '*.example.org'] },
    { domain_blacklist_enabled: true, domain_blacklist: ['example.com'] },
    { user_oauth_applications: false },
    { after_sign_out_path: 'http://example.com/bye' },
    { container_registry_token_expire_delay: 1 },
    { repository_storages: ['default'] },
    { enabled_git_access_protocol: 'ssh' },
    { enabled_git_access_protocol: 'http' },
    { cloudide_enabled: true, cloudide_url: 'https://ide.example.com' },
    { disabled_oauth_sign_in_sources: ['directory'] },
    { diagrams_enabled: true, diagrams_url: 'https://diagrams.example.com' },
    { terminal_max_session_time: 60 },
    { polling_interval_multiplier: '0.0' },
    { polling_interval_multiplier: '1.25' },
    { max_artifacts_size: 0, default_artifacts_expire_in: '2 weeks' },
    { max_lfs_object_size: 0 },
    { rsa_key_restriction: 4096, dsa_key_restriction: -1 },
    { ecdsa_key_restriction: 521, ed25519_key_restriction: 256 },
    { circuitbreaker_access_retries: 1, circuitbreaker_backoff_threshold: 0 },
    { circuitbreaker_failure_count_threshold: 81, circuitbreaker_failure_reset_time: 0 },
    { circuitbreaker_failure_wait_time: 0, circuitbreaker_storage_timeout: 0 },
  ])('accepts %o and keeps all other settings', async (change) => {
    const changed = { status: 200, body: { ...settingsShape, ...change } };
    expect(await put(change)).toEqual(changed);
    expect(await as(root).get(path)).toEqual(changed);
    const { updatedAt } = await db.applicationSettings.findUniqueOrThrow({ where: { id: 1 } });
    expect(updatedAt.getTime()).toBeGreaterThan(initial.updatedAt.getTime());
  });

  test('a form is equivalent to JSON', async () => {
    const body = new URLSearchParams([
      ['default_projects_limit', '7'],
      ['signup_enabled', '0'],
      ['restricted_visibility_levels[]', 'public'],
      ['domain_whitelist', 'a.com; b.com,c.com\nd.com e.com'],
      ['polling_interval_multiplier', '0.5'],
      ['rsa_key_restriction', '-1'],
    ]);
    const response = await as(root).fetch(path, { method: 'PUT', body });
    expect(await response.json()).toEqual({
      ...settingsShape,
      default_projects_limit: 7,
      signup_enabled: false,
      restricted_visibility_levels: ['public'],
      domain_whitelist: ['a.com', 'b.com', 'c.com', 'd.com', 'e.com'],
      polling_interval_multiplier: '0.5',
      rsa_key_restriction: -1,
    });
  });

  test('lists can be text and are deduplicated', async () => {
    const change = {
      restricted_visibility_levels: 'public, internal,public',
      domain_blacklist: 'x.com x.com',
      repository_storages: 'default,default',
      disabled_oauth_sign_in_sources: 'a, b',
    };
    expect(await put(change)).toMatchObject({
      status: 200,
      body: {
        restricted_visibility_levels: ['internal', 'public'],
        domain_blacklist: ['x.com'],
        repository_storages: ['default'],
        disabled_oauth_sign_in_sources: ['a', 'b'],
      },
    });
  });

  test('domains are trimmed and blank ones ignored', async () => {
    const change = {
      domain_whitelist: [' a.com ', '\ta.com', '*.b.example ', ' '],
      domain_blacklist: ['bücher.example', 'localhost', 'xn--bcher-kva.example'],
    };
    const stored = { ...change, domain_whitelist: ['a.com', '*.b.example'] };
    expect((await put(change)).body).toEqual({ ...settingsShape, ...stored });
    expect(await put({ domain_whitelist: [' '] })).toMatchObject({
      body: { domain_whitelist: null },
    });
  });

  test.each([
    [0, '0.0'],
    ['0', '0.0'],
    [2, '2.0'],
    ['1.50', '1.5'],
    [1e-7, '0.0000001'],
    ['12345678901', '12345678901.0'],
  ])('a decimal is a number or text and is shown as text: %j', async (input, shown) => {
    const change = { polling_interval_multiplier: input };
    expect((await put(change)).body).toMatchObject({ polling_interval_multiplier: shown });
    expect(await stored()).toMatchObject({ polling_interval_multiplier: shown });
  });

  const texts = {
    sign_in_text: 'Hello',
    home_page_url: 'https://example.com',
    after_sign_out_path: 'https://example.com',
    cloudide_url: 'https://ide.example.com',
    diagrams_url: 'https://diagrams.example.com',
    enabled_git_access_protocol: 'ssh',
    restricted_visibility_levels: ['public'],
    domain_whitelist: ['a.com'],
    domain_blacklist: ['a.com'],
    disabled_oauth_sign_in_sources: ['a'],
  };

  test.each([null, ''])('%o clears a value', async (empty) => {
    expect((await put(texts)).body).toEqual({ ...settingsShape, ...texts });
    const none = Object.fromEntries(Object.keys(texts).map((name) => [name, empty]));
    expect(await put(none)).toEqual({ status: 200, body: settingsShape });
  });

  test('an empty list clears a value, and `nil` enables both protocols', async () => {
    await put(texts);
    const none = { restricted_visibility_levels: [], enabled_git_access_protocol: 'nil' };
    expect((await put(none)).body).toEqual({
      ...settingsShape,
      ...texts,
      restricted_visibility_levels: null,
      enabled_git_access_protocol: null,
    });
  });

  test('accepts the alternative names of some clients and shows the standard ones', async () => {
    const change = {
      gravatar_enabled: false,
      ...{ koding_enabled: true, koding_url: 'https://ide' },
      ...{ plantuml_enabled: true, plantuml_url: 'https://uml' },
    };
    expect(await put(change)).toEqual({
      status: 200,
      body: {
        ...settingsShape,
        avatar_service_enabled: false,
        ...{ cloudide_enabled: true, cloudide_url: 'https://ide' },
        ...{ diagrams_enabled: true, diagrams_url: 'https://uml' },
      },
    });
  });

  const withType = (values: readonly unknown[], names: readonly string[]) =>
    names.flatMap((name) => values.map((value) => [name, value] as const));
  const settingsLike = (pattern: RegExp) => settable.filter((name) => pattern.test(name));

  test.each([
    ...withType(
      ['x', 1.5, '1.5', [1], { a: 1 }, 2 ** 31],
      settingsLike(/limit|size|delay|time$|timeout|circuit|restriction|protection/),
    ),
    ...withType(['x', 2, [true], {}], settingsLike(/enabled$|applications/)),
    ...withType(['x', [], '1e3', {}, '1.'], ['polling_interval_multiplier']),
    ...withType([['x'], { a: 1 }, 'a\0b'], settingsLike(/text|url|path/)),
    ...withType([{ a: 'b' }, [['x']], [null], true], settingsLike(/list$|storages|levels|sources/)),
    ...withType([['x'], {}], settingsLike(/^default_\w+_visibility$|git_access/)),
  ])('%s rejects the type of %o', async (name, value) => {
    expect(await put({ [name]: value })).toEqual(refused.parameter(`${name} is invalid`));
  });

  test.each<Parameters>([
    { default_branch_protection: 3 },
    { default_branch_protection: -1 },
    { restricted_visibility_levels: ['public', 'secret'] },
    { restricted_visibility_levels: 'secret' },
    { default_project_visibility: 'secret' },
    { default_snippet_visibility: '20' },
    { default_group_visibility: 'PUBLIC' },
    { enabled_git_access_protocol: 'https' },
    { rsa_key_restriction: 512 },
    { dsa_key_restriction: 4096 },
    { ecdsa_key_restriction: 512 },
    { ed25519_key_restriction: 255 },
  ])('rejects the unknown value of %o', async (change) => {
    const [name] = Object.keys(change);
    expect(await put(change)).toEqual(refused.parameter(`${name} does not have a valid value`));
    expect(await stored()).toEqual(settingsShape);
  });

  test.each<[Parameters, string]>([
    [{ domain_blacklist_enabled: true }, 'domain_blacklist is missing'],
    [{ domain_blacklist_enabled: true, domain_blacklist: null }, 'domain_blacklist is missing'],
    [{ cloudide_enabled: true }, 'cloudide_url is missing'],
    [{ koding_enabled: true }, 'cloudide_url is missing'],
    [{ diagrams_enabled: 'yes', diagrams_url: null }, 'diagrams_url is missing'],
    [
      { diagrams_enabled: true, cloudide_enabled: true, max_attachment_size: 'x' },
      'max_attachment_size is invalid, cloudide_url is missing, diagrams_url is missing',
    ],
  ])('%o requires other settings', async (change, text) => {
    expect(await put(change)).toEqual(refused.parameter(text));
  });

  const positive = 'must be greater than 0';
  const address = 'must be a valid URL';

  test.each<[Parameters, string]>([
    [{ default_projects_limit: -1 }, notNegative],
    [{ max_attachment_size: 0 }, positive],
    [{ session_expire_delay: -1 }, notNegative],
    [{ max_artifacts_size: -1 }, notNegative],
    [{ max_lfs_object_size: -1 }, notNegative],
    [{ default_artifacts_expire_in: 'soon' }, 'is not a correct duration'],
    [{ default_artifacts_expire_in: '' }, 'is not a correct duration'],
    [{ container_registry_token_expire_delay: 0 }, positive],
    [{ terminal_max_session_time: -1 }, notNegative],
    [{ polling_interval_multiplier: -0.1 }, notNegative],
    [{ circuitbreaker_access_retries: 0 }, positive],
    [{ circuitbreaker_failure_reset_time: -1 }, notNegative],
    [{ circuitbreaker_storage_timeout: -1 }, notNegative],
    [{ circuitbreaker_backoff_threshold: -1 }, notNegative],
    [
      { circuitbreaker_backoff_threshold: 160 },
      'The circuitbreaker backoff threshold should be lower than the failure count threshold',
    ],
    [{ home_page_url: 'example.com' }, address],
    [{ home_page_url: 'javascript:alert(1)' }, address],
    [{ after_sign_out_path: '/bye' }, address],
    [{ after_sign_out_path: ' ' }, address],
    [{ cloudide_url: 'javascript:alert(1)' }, address],
    [{ cloudide_url: 'x' }, address],
    [{ diagrams_url: 'ftp://uml.example.com' }, address],
    [{ diagrams_url: 'data:text/html,x' }, address],
    [
      { home_page_url: `https://example.com/${'x'.repeat(2000)}` },
      'is too long (maximum is 2000 characters)',
    ],
    [{ repository_storages: [] }, "can't be blank"],
    [{ repository_storages: '' }, "can't be blank"],
    [{ repository_storages: ['default', 'fast'] }, "can't include: fast"],
    [
      { domain_blacklist: ',', domain_blacklist_enabled: true },
      'Domain blacklist cannot be empty if Blacklist is enabled.',
    ],
    ...[
      'a b.com',
      'https://a.com',
      'a@b.com',
      '*',
      '*a.com',
      'a.*',
      'a..b',
      '-a.com',
      'a_b.com',
    ].map((domain): [Parameters, string] => [
      { domain_whitelist: ['ok.com', domain] },
      `'${domain}' is not a valid domain`,
    ]),
    [{ domain_blacklist: ['a.com/'] }, "'a.com/' is not a valid domain"],
    [{ domain_whitelist: ['x'.repeat(256)] }, 'is too long (maximum is 255 characters)'],
    [
      { domain_whitelist: Array.from({ length: 10_001 }, (_, n) => n).join(' ') },
      'is too long (maximum is 10000 items)',
    ],
  ])('rejects %o by name', async (change, text) => {
    const [name = ''] = Object.keys(change);
    expect(await put(change)).toEqual(refused.invalid({ [name]: [text] }));
    expect(await stored()).toEqual(settingsShape);
  });

  test('rejects settings that conflict with stored ones', async () => {
    await put({ domain_blacklist_enabled: true, domain_blacklist: 'x.com' });
    await put({ cloudide_enabled: true, cloudide_url: 'https://ide' });
    await put({ diagrams_enabled: true, diagrams_url: 'https://uml' });
    await put({ rsa_key_restriction: -1, dsa_key_restriction: -1, ecdsa_key_restriction: -1 });
    const before = await stored();
    const blank = ["can't be blank"];
    expect(await put({ domain_blacklist: null })).toEqual(
      refused.invalid({
        domain_blacklist: ['Domain blacklist cannot be empty if Blacklist is enabled.'],
      }),
    );
    expect(await put({ cloudide_url: '' })).toEqual(refused.invalid({ cloudide_url: blank }));
    expect(await put({ diagrams_url: null })).toEqual(refused.invalid({ diagrams_url: blank }));
    expect(await put({ ed25519_key_restriction: -1 })).toEqual(
      refused.invalid({ allowed_key_types: blank }),
    );
    expect(await put({ circuitbreaker_failure_count_threshold: 80 })).toEqual(
      refused.invalid({
        circuitbreaker_backoff_threshold: [
          'The circuitbreaker backoff threshold should be lower than the failure count threshold',
        ],
      }),
    );
    expect(await stored()).toEqual(before);
  });

  test('concurrent changes of different settings are all kept', async () => {
    const changes: readonly Parameters[] = [
      { default_projects_limit: 1 },
      { sign_in_text: 'Hi' },
      { max_attachment_size: 3 },
      { restricted_visibility_levels: ['public'] },
      { domain_whitelist: ['a.com'] },
      { session_expire_delay: 60 },
      { terminal_max_session_time: 5 },
      { signup_enabled: false },
    ];
    const responses = await Promise.all(changes.map(put));
    expect(responses.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect(await stored()).toEqual(Object.assign({}, settingsShape, ...changes));
  });

  test('one of two conflicting concurrent changes is rejected', async () => {
    await put({ rsa_key_restriction: -1, dsa_key_restriction: -1 });
    const responses = await Promise.all([
      put({ ecdsa_key_restriction: -1 }),
      put({ ed25519_key_restriction: -1 }),
    ]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});

describe('GraphQL', () => {
  const queryAs = async (token: string | null, query: string) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { 'Private-Token': token }) },
      body: JSON.stringify({ query }),
    });
    const { data, errors = [] } = await response.json();
    return { data, errors: errors.map(({ extensions }: { extensions: unknown }) => extensions) };
  };
  const update = (settings: string) =>
    `mutation { updateApplicationSettings(input: { ${settings} }) {
      applicationSettings { id }
    } }`;

  test('requires an administrator', async () => {
    const change = update('maxAttachmentSize: 1');
    expect((await queryAs(ada.token, change)).errors).toMatchObject([{ code: 'FORBIDDEN' }]);
    expect((await queryAs(null, change)).errors).toMatchObject([{ code: 'UNAUTHENTICATED' }]);
    const read = '{ admin { applicationSettings { id } } }';
    for (const token of [ada.token, null]) {
      expect(await queryAs(token, read)).toEqual({ data: { admin: null }, errors: [] });
    }
    expect(await queryAs(root.token, read)).toEqual({
      data: { admin: { applicationSettings: { id: 'ApplicationSettings:1' } } },
      errors: [],
    });
  });

  test.each([
    ['dsaKeyRestriction: 1', 'dsaKeyRestriction', 'is not included in the list'],
    ['rsaKeyRestriction: 1', 'rsaKeyRestriction', 'is not included in the list'],
    ['defaultProjectsLimit: -1', 'defaultProjectsLimit', notNegative],
    ['domainWhitelist: ["a b"]', 'domainWhitelist', "'a b' is not a valid domain"],
    ['homePageUrl: "javascript:x"', 'homePageUrl', 'must be a valid URL'],
    ['repositoryStorages: ["fast"]', 'repositoryStorages', "can't include: fast"],
  ])('rejects %s as REST does', async (settings, field, text) => {
    expect((await queryAs(root.token, update(settings))).errors).toMatchObject([
      { code: 'INVALID', fields: { [field]: [text] } },
    ]);
  });

  test('null keeps a setting that requires a value', async () => {
    expect(await queryAs(root.token, update('maxAttachmentSize: null, signInText: null'))).toEqual({
      data: { updateApplicationSettings: { applicationSettings: { id: 'ApplicationSettings:1' } } },
      errors: [],
    });
  });
});
