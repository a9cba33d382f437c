import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'ldapts';
import { afterAll } from 'vitest';
import { freePort } from './free-port.ts';

const base = 'dc=example,dc=org';
const admin = { dn: `cn=admin,${base}`, password: 'directory admin' };

/** A directory server of one test file. */
export interface DirectoryServer {
  /** `ldap://`, with support for StartTLS. */
  readonly url: string;
  /** `ldaps://`. */
  readonly secureUrl: string;
  /** The file with the CA certificate. */
  readonly authority: string;
  /** The environment of a world that uses this directory. */
  readonly variables: Readonly<Record<string, string>>;
  /** The DN of a user. */
  dnOf(uid: string): string;
  add(uid: string, entry: Readonly<Record<string, string>>): Promise<void>;
  remove(uid: string): Promise<void>;
}

/** Debian's slapd on loopback ports with its own folder; stopped and deleted after the test file. */
export async function directoryServer(): Promise<DirectoryServer> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-directory-'));
  const [port, securePort] = [await freePort(), await freePort()];
  const certificate = await certify(folder);
  await mkdir(join(folder, 'data'));
  await writeFile(join(folder, 'slapd.conf'), configuration(folder, certificate));
  const url = `ldap://localhost:${port}`;
  const secureUrl = `ldaps://localhost:${securePort}`;
  const server = spawn(
    'slapd',
    ['-d', '0', '-f', join(folder, 'slapd.conf'), '-h', `${url} ${secureUrl}`],
    { stdio: 'ignore' },
  );
  afterAll(async () => {
    server.kill('SIGTERM');
    if (server.exitCode === null) await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  });
  const asAdmin = async (work: (client: Client) => Promise<void>) => {
    const client = new Client({ url });
    await client.bind(admin.dn, admin.password);
    await work(client);
    await client.unbind();
  };
  await answering(() =>
    asAdmin((client) => client.add(base, { objectClass: ['dcObject', 'organization'], o: 'x' })),
  );
  const dnOf = (uid: string) => `uid=${uid},${base}`;
  return {
    url,
    secureUrl,
    authority: certificate.authority,
    variables: {
      MILLRACE_LDAP_URL: url,
      MILLRACE_LDAP_BASE: base,
      MILLRACE_LDAP_BIND_DN: admin.dn,
      MILLRACE_LDAP_BIND_PASSWORD: admin.password,
    },
    dnOf,
    add: (uid, entry) =>
      asAdmin((client) =>
        client.add(dnOf(uid), { objectClass: 'inetOrgPerson', uid, cn: uid, sn: uid, ...entry }),
      ),
    remove: (uid) => asAdmin((client) => client.del(dnOf(uid))),
  };
}

const configuration = (folder: string, { authority, key, cert }: Certificate) => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${folder}/slapd.pid
TLSCACertificateFile ${authority}
TLSCertificateFile ${cert}
TLSCertificateKeyFile ${key}
database mdb
directory ${folder}/data
suffix "${base}"
rootdn "${admin.dn}"
rootpw "${admin.password}"
`;

interface Certificate {
  readonly authority: string;
  readonly key: string;
  readonly cert: string;
}

/** A self-signed certificate for `localhost`. */
async function certify(folder: string): Promise<Certificate> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2'],
    ...['-keyout', key, '-out', cert],
  ]);
  return { authority: cert, key, cert };
}

/** Repeats `work` until the server is up. */
async function answering(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
