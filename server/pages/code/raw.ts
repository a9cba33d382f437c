import type { Readable } from 'node:stream';
import { firstPart, rawResponse } from '../../../rest-facade/kernel/raw.ts';
import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { locationFields } from './location.ts';

const file = graphql(
  `query RawFilePlace($project: ID!, $address: String!) {
    repository(project: $project) { location(address: $address) { ...LocationFields } }
  }`,
  [locationFields],
);

/** The raw content of a file; images keep their type, nothing else can run in the browser. */
export const sendFile: ProjectPage = async (visit, project, rest) => {
  const variables = { project: String(project.id), address: rest };
  const { entry, size } = (await visit.ask(file, variables)).repository.location;
  if (entry?.type !== 'blob' || size === null) throw pathNotFound();
  const content = await visit.openBlob({ projectId: project.id, sha: entry.id, size });
  const raw = await rawResponse(content, { name: entry.name, size });
  const picture = isNamedAsPicture(entry.name) ? await pictureType(content, entry.name) : null;
  if (!picture) return raw;
  const shown = { 'Content-Type': picture, 'Content-Disposition': 'inline' };
  return { ...raw, headers: { ...raw.headers, ...shown } };
};

export const isNamedAsPicture = (name: string): boolean =>
  /\.(?:png|jpe?g|gif|webp|svg)$/i.test(name);

/** The magic numbers of raster images. */
const beginnings: readonly (readonly [string, string])[] = [
  ['\x89PNG\r\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF8', 'image/gif'],
];

/** Characters searched for the root element of an SVG image. */
const searched = 8000;

/**
 * The media type of an image; null for other content. An SVG image can contain scripts: the policy of
 * `rawResponse` keeps browsers from running them and from loading anything.
 */
async function pictureType(content: Buffer | Readable, name: string): Promise<string | null> {
  const bytes = Buffer.isBuffer(content) ? content : await firstPart(content);
  const start = bytes.toString('latin1', 0, 16);
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return 'image/webp';
  if (/\.svg$/i.test(name)) {
    const text = bytes.toString('latin1', 0, searched);
    return /<svg[\s/>]/.test(text) && !text.includes('\0') ? 'image/svg+xml' : null;
  }
  return beginnings.find(([beginning]) => start.startsWith(beginning))?.[1] ?? null;
}
