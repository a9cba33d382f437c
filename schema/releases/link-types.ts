import type { ReleaseLink as LinkRow, Release } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { pageType } from '../listing/page-types.ts';

export const ReleaseLinkType = builder.enumType('ReleaseLinkType', {
  description: 'What a link of a release leads to.',
  values: {
    other: { description: 'Something else.' },
    runbook: { description: 'Instructions for its operation.' },
    image: { description: 'A container image.' },
    package: { description: 'A package.' },
  } as const,
});

type Address = Pick<Release, 'projectId' | 'tagName'>;

const releaseOf = batched<number, Address | null>(async (ids, { db }) => {
  const releases = await db.release.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, projectId: true, tagName: true },
  });
  return new Map(releases.map(({ id, ...address }) => [id, address]));
}, null);

/** The permanent address of a link with a path, which redirects to its target. */
const permanentUrl = ({ projectId, tagName }: Address, path: string, baseUrl: string): string => {
  const release = `projects/${projectId}/releases/${encodeURIComponent(tagName)}`;
  return `${baseUrl}/api/v4/${release}/downloads${path}`;
};

export const ReleaseLink = builder.prismaObject('ReleaseLink', {
  description: 'A link from a release to a file or page.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the link.' }),
    name: t.exposeString('name', { description: 'Its text, unique in the release.' }),
    url: t.expose('url', { type: 'URL', description: 'The address, unique in the release.' }),
    path: t.exposeString('path', {
      nullable: true,
      description:
        'The path of the permanent address below the release, with a leading slash; null if it has none.',
    }),
    directUrl: t.field({
      type: 'URL',
      description: 'The permanent address, which redirects to `url`; `url` itself without a path.',
      complexity: statementCost,
      resolve: async ({ releaseId, path, url }: LinkRow, _args, ctx) => {
        const release = path === null ? null : await releaseOf(releaseId, ctx);
        return release && path !== null ? permanentUrl(release, path, ctx.baseUrl) : url;
      },
    }),
    isExternal: t.boolean({
      description: 'Whether it leads to another server.',
      resolve: ({ url }, _args, { baseUrl }) => URL.parse(url)?.host !== URL.parse(baseUrl)?.host,
    }),
    type: t.expose('type', { type: ReleaseLinkType, description: 'What it leads to.' }),
  }),
});

export const ReleaseLinkPage = pageType('ReleaseLink', ReleaseLink);
