import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';

describe('without any variable', () => {
  test('every setting has its default', () => {
    expect(readConfig({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:8080',
      basePath: '',
      sshPort: 2222,
      isSshPortGiven: false,
      sshUrl: 'ssh://git@localhost:2222/',
      dataFolder: resolve('var'),
      databaseUrl: null,
      poolerUrl: null,
      telemetry: null,
      storages: new Map([['default', resolve('var/repositories')]]),
      storageWeights: new Map(),
      objects: null,
      rootPassword: null,
      rootToken: null,
      trustedProxies: [],
      allowsLocalRequests: false,
      directory: null,
      workers: 1,
      hasRunner: false,
      drainTime: 0,
      auditDays: 365,
      logLevel: 'info',
    });
  });

  test('an empty variable counts as unset', () => {
    expect(readConfig({ PORT: '', MILLRACE_URL: '', DATABASE_URL: '' })).toEqual(readConfig({}));
  });

  test('the configuration is frozen', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });
});

describe('variables of the operator', () => {
  test('every setting can be changed', () => {
    expect(
      readConfig({
        PORT: '0',
        HOST: '::',
        MILLRACE_URL: 'https://code.example/millrace/',
        MILLRACE_DATA: '/srv/millrace',
        DATABASE_URL: 'postgres://me@db/name',
        MILLRACE_POOLER_URL: 'postgres://me@pooler:6432/name',
        MILLRACE_STORAGES: 'fast=/ssd,slow=disk',
        MILLRACE_STORAGE_WEIGHTS: 'fast=3, slow=0',
        MILLRACE_SSH_PORT: '22',
        MILLRACE_OBJECTS: 's3://code-files/millrace?endpoint=https://s3.example:9000/&region=eu-1',
        AWS_ACCESS_KEY_ID: 'key',
        AWS_SECRET_ACCESS_KEY: 'secret key',
        MILLRACE_ROOT_PASSWORD: 'eight888',
        MILLRACE_ROOT_TOKEN: 'abcdefghijklmnopqrst',
        MILLRACE_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
        MILLRACE_ALLOW_LOCAL_REQUESTS: 'on',
        MILLRACE_LDAP_URL: 'ldap://directory.example:389',
        MILLRACE_LDAP_BASE: 'dc=example',
        MILLRACE_LDAP_BIND_DN: 'cn=reader,dc=example',
        MILLRACE_LDAP_BIND_PASSWORD: 'may look',
        MILLRACE_LDAP_FILTER: '(ou=people)',
        MILLRACE_LOG: 'debug',
        MILLRACE_RUNNER: 'shell',
        MILLRACE_WORKERS: '4',
        MILLRACE_DRAIN_SECONDS: '2.5',
        MILLRACE_AUDIT_DAYS: '30',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
        OTEL_METRIC_EXPORT_INTERVAL: '5000',
      }),
    ).toEqual({
      port: 0,
      host: '::',
      baseUrl: 'https://code.example/millrace',
      basePath: '/millrace',
      sshPort: 22,
      isSshPortGiven: true,
      sshUrl: 'git@code.example:',
      dataFolder: '/srv/millrace',
      databaseUrl: 'postgres://me@db/name',
      poolerUrl: 'postgres://me@pooler:6432/name',
      storages: new Map([
        ['fast', '/ssd'],
        ['slow', resolve('disk')],
      ]),
      storageWeights: new Map([
        ['fast', 3],
        ['slow', 0],
      ]),
      objects: {
        bucket: 'code-files',
        prefix: 'millrace/',
        endpoint: 'https://s3.example:9000',
        region: 'eu-1',
        credentials: { accessKeyId: 'key', secretAccessKey: 'secret key' },
        hasRedirects: true,
        writes: 's3',
      },
      rootPassword: 'eight888',
      rootToken: 'abcdefghijklmnopqrst',
      trustedProxies: ['10.0.0.0/8', '::1'],
      allowsLocalRequests: true,
      directory: {
        url: 'ldap://directory.example:389',
        startsTls: true,
        bindDn: 'cn=reader,dc=example',
        bindPassword: 'may look',
        base: 'dc=example',
        filter: '(ou=people)',
      },
      workers: 4,
      hasRunner: true,
      drainTime: 2_500,
      auditDays: 30,
      telemetry: {
        endpoint: 'https://collector.example/otlp',
        sampledShare: 0.25,
        metricInterval: 5_000,
      },
      logLevel: 'debug',
    });
  });

  test.each([
    ['ldap://directory.example', true],
    ['ldap://directory.example?starttls=no', false],
    ['ldap://localhost:389', false],
    ['ldap://127.0.0.1?starttls=yes', true],
    ['ldaps://directory.example:636', false],
  ])('the LDAP URL %s uses StartTLS: %s', (url, startsTls) => {
    const variables = { MILLRACE_LDAP_URL: url, MILLRACE_LDAP_BASE: 'dc=example' };
    expect(readConfig(variables).directory).toMatchObject({ startsTls, bindDn: null });
  });

  test.each([
    ['s3://bucket', { bucket: 'bucket', prefix: '', endpoint: null, region: 'us-east-1' }],
    ['s3://bucket/a/b/', { bucket: 'bucket', prefix: 'a/b/' }],
    ['s3://bucket?downloads=proxy', { hasRedirects: false, writes: 's3' }],
    ['s3://bucket?writes=local', { hasRedirects: true, writes: 'local' }],
  ])('the object store %s', (text, expected) => {
    expect(readConfig({ MILLRACE_OBJECTS: text }).objects).toMatchObject({
      credentials: null,
      ...expected,
    });
  });

  test('the storages are in the data folder by default', () => {
    expect(readConfig({ MILLRACE_DATA: '/data' }).storages.get('default')).toBe(
      '/data/repositories',
    );
  });
});

describe('an error names the invalid variable and the allowed values', () => {
  const port = 'PORT must be a port number from 0 to 65535';
  const url = 'MILLRACE_URL must be an http:// or https:// URL without query';
  const directory = 'MILLRACE_LDAP_URL must be ldap://host:port or ldaps://host:port';
  const networks =
    'MILLRACE_TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, separated by commas';
  test.each([
    [{ PORT: 'http' }, port],
    [{ PORT: '-1' }, port],
    [{ PORT: '65536' }, port],
    [{ PORT: '80.5' }, port],
    [{ MILLRACE_URL: 'code.example' }, url],
    [{ MILLRACE_URL: 'ftp://code.example' }, url],
    [{ MILLRACE_URL: 'https://code.example/?a=1' }, url],
    [{ DATABASE_URL: 'mysql://db' }, 'DATABASE_URL must be a postgresql:// URL'],
    [
      { MILLRACE_STORAGES: '/srv/git' },
      'MILLRACE_STORAGES must be name=/folder, several separated by commas',
    ],
    [
      { MILLRACE_STORAGES: 'a/b=/srv' },
      'MILLRACE_STORAGES must be name=/folder, several separated by commas',
    ],
    [{ MILLRACE_ROOT_PASSWORD: 'seven77' }, 'MILLRACE_ROOT_PASSWORD must be at least 8 characters'],
    [
      { MILLRACE_ROOT_TOKEN: 'too-short' },
      'MILLRACE_ROOT_TOKEN must be 20 to 255 letters, digits, - and _',
    ],
    [{ MILLRACE_TRUSTED_PROXIES: 'proxy.example' }, networks],
    [{ MILLRACE_TRUSTED_PROXIES: '10.0.0.0/33' }, networks],
    [{ MILLRACE_LDAP_URL: 'http://directory.example' }, directory],
    [{ MILLRACE_LDAP_URL: 'ldap://directory.example/dc=example' }, directory],
    [{ MILLRACE_LDAP_URL: 'ldap://directory.example?starttls=maybe' }, directory],
    [
      { MILLRACE_LDAP_URL: 'ldap://directory.example' },
      'MILLRACE_LDAP_BASE must be the name below which users are searched',
    ],
    [{ MILLRACE_LDAP_FILTER: 'ou=people' }, 'MILLRACE_LDAP_FILTER must be a filter in parentheses'],
    [{ MILLRACE_RUNNER: 'docker' }, 'MILLRACE_RUNNER must be off or shell'],
    [
      { MILLRACE_POOLER_URL: 'postgres://me@pooler/name' },
      'MILLRACE_POOLER_URL needs DATABASE_URL, the direct address of the same database',
    ],
    [
      { MILLRACE_STORAGE_WEIGHTS: 'fast=2' },
      'MILLRACE_STORAGE_WEIGHTS names fast, which MILLRACE_STORAGES does not',
    ],
    [{ MILLRACE_WORKERS: '0' }, 'MILLRACE_WORKERS must be auto or a number from 1 to 99, not 0'],
    [
      { MILLRACE_LOG: 'loud' },
      'MILLRACE_LOG must be one of fatal, error, warn, info, debug, trace, silent',
    ],
    [{ PORT: 'x', MILLRACE_LOG: 'y' }, /^PORT must .+\nMILLRACE_LOG must .+$/],
  ])('%o', (variables, message) => {
    expect(() => readConfig(variables)).toThrow(message);
  });

  test('an error does not contain an invalid secret', () => {
    const variables = { MILLRACE_ROOT_TOKEN: 'hush hush hush hush hush' };
    expect(() => readConfig(variables)).toThrow(/^(?!.*hush)/);
  });
});
