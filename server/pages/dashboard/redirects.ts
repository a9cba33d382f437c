import type { Page } from '../kernel/page.ts';

/** Addresses that other v4 servers have for our pages. */
const addresses: Readonly<Record<string, string>> = {
  '/dashboard': '/',
  '/dashboard/projects': '/',
  '/dashboard/projects/starred': '/?list=starred',
  '/dashboard/groups': '/groups',
  '/explore/projects': '/explore',
};

export const redirectPages: readonly Page[] = Object.entries(addresses).map(([path, target]) => ({
  method: 'get',
  path,
  access: 'anyone',
  answer: ({ url }) => ({ redirect: url(target) }),
}));
