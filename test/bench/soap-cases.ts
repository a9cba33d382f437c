import { isDeepStrictEqual } from 'node:util';
import { message, type SoapClient, soapClientOf } from '../support/soap.ts';
import type { BenchRequest } from './load.ts';
import type { RequestCase } from './measure.ts';
import { type Login, loginOf } from './users.ts';
import type { World } from './world.ts';

export const soapProjects = 'soap-projects';
export const soapSessions = 'soap-sessions';
export const soapMemory = 'soap-memory';

/** Memory is first, as other requests would increase its initial value. */
export const soapCaseNames = [soapMemory, soapProjects, soapSessions] as const;

/** A message as a SOAP client sends it. */
export const posted = (operation: string, ...parts: readonly unknown[]): BenchRequest => ({
  path: '/api/soap',
  headers: {},
  body: message(operation, ...parts),
  type: 'text/xml; charset=utf-8',
});

/** Signs the user in; gives the session id. */
export async function signIn(soap: SoapClient, { username, token }: Login): Promise<string> {
  const { result, fault } = await soap.invoke('login', username, token);
  if (typeof result !== 'string') throw new Error(`${username} did not sign in: ${fault?.message}`);
  return result;
}

/** Fifty projects in one response, beside the same rows as JSON; throws if they differ. */
export async function projectsCase({ service, users }: World): Promise<RequestCase> {
  const soap = soapClientOf(service.url);
  const session = await signIn(soap, loginOf(1));
  const headers = { 'Private-Token': users.member.token };
  const pages = [1, 2, 3, 4];
  const pathOf = (page: number) => `/api/v4/projects?page=${page}&per_page=50`;
  const argsOf = (page: number) => [{ page, per_page: 50 }];
  for (const page of pages) {
    const { result } = await soap.invoke('call', session, 'project.list', argsOf(page));
    const rows = await (await fetch(`${service.url}${pathOf(page)}`, { headers })).json();
    if (!Array.isArray(rows) || rows.length !== 50)
      throw new Error('a page has fewer than fifty projects');
    if (!isDeepStrictEqual(result, rows)) throw new Error(`page ${page} differs from REST`);
  }
  return {
    name: soapProjects,
    goal: { kind: 'least', value: 0.5 },
    urls: [service.url, service.url],
    requests: pages.map((page) => posted('call', session, 'project.list', argsOf(page))),
    twinRequests: pages.map((page) => ({ path: pathOf(page), headers })),
    comparison: 'none',
  };
}
