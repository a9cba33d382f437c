import { z } from 'zod';
import { p } from '../kernel/params.ts';

const path = p.orNone(p.text()).optional();

const type = p.choice(['other', 'runbook', 'image', 'package']);

const texts = {
  name: 'The text of the link, unique in the release.',
  url: 'The address, unique in the release: of http, https or ftp.',
  path: 'The path of the permanent address, with a leading slash.',
  type: 'What the link leads to.',
};

/** What a link has besides its name and URL; `filepath` is the older name of the path. */
export const linkDetails = {
  direct_asset_path: path.describe(texts.path),
  filepath: path.describe('The same as `direct_asset_path`.'),
  link_type: type.optional().describe(texts.type),
};

/** A link of a new release. */
export const linkParams = z.object({
  name: p.text().describe(texts.name),
  url: p.text().describe(texts.url),
  ...linkDetails,
  link_type: p.orNone(type).optional().describe(texts.type),
});

interface Details<Type> {
  readonly direct_asset_path?: string | null | undefined;
  readonly filepath?: string | null | undefined;
  readonly link_type?: Type | undefined;
}

/** The parameters of a link, as the core names them. */
export const linkVariables = <Type, Input extends Details<Type>>({
  direct_asset_path: path,
  filepath,
  link_type: linkType,
  ...input
}: Input & Details<Type>) => ({
  ...input,
  path: path === undefined ? filepath : path,
  type: linkType,
});
