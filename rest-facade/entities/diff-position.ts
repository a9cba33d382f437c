import { z } from 'zod';
import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { p } from '../kernel/params.ts';
import { entity, s } from '../kernel/shape.ts';

export const positionFields = graphql(`
  fragment PositionFields on DiffPosition {
    base_sha: baseSha start_sha: startSha head_sha: headSha old_path: oldPath new_path: newPath
    position_type: type old_line: oldLine new_line: newLine width height x y
  }
`);

const number = s.int().nullable();

/** A position of v4: with the numbers of a line, or with the point of an image. */
export const positionShape = entity('DiffPosition', {
  base_sha: s.text().describe('The id of the commit that the diff starts from.'),
  start_sha: s.text().describe('The id of the commit of the target branch.'),
  head_sha: s.text().describe('The id of the commit that the diff leads to.'),
  old_path: s.text().describe('The path of the file before the change.'),
  new_path: s.text().describe('The path of the file after the change.'),
  position_type: s.choice(['text', 'image']).describe('What the position is.'),
  old_line: number.optional().describe('The number of the line before the change; null if added.'),
  new_line: number.optional().describe('The number of the line after the change; null if removed.'),
  width: number.optional().describe('The width of the image in pixels.'),
  height: number.optional().describe('The height of the image in pixels.'),
  x: number.optional().describe('The distance of the point from the left edge in pixels.'),
  y: number.optional().describe('The distance of the point from the upper edge in pixels.'),
});

export const position = ({
  old_line,
  new_line,
  ...record
}: ResultOf<typeof positionFields>): z.output<typeof positionShape> => {
  const { width, height, x, y, ...place } = record;
  return record.position_type === 'text'
    ? { ...place, old_line, new_line }
    : { ...place, width, height, x, y };
};

const path = p.orNone(p.text({ longest: 4096 })).optional();
const line = p.orNone(p.int({ least: 1 })).optional();
const pixels = p.orNone(p.int({ least: 0 })).optional();
const sha = p.text({ isFilled: true, longest: 40 });

/** The parameter `position` of a new discussion. */
export const positionParam = z
  .object({
    base_sha: sha.describe('The id of the commit that the diff starts from.'),
    start_sha: sha.describe('The id of the commit of the target branch.'),
    head_sha: sha.describe('The id of the commit that the diff leads to.'),
    position_type: p.choice(['text', 'image']).describe('What the position is.'),
    old_path: path.describe('The path of the file before the change.'),
    new_path: path.describe('The path of the file after the change.'),
    old_line: line.describe('The number of the line before the change; not for an added line.'),
    new_line: line.describe('The number of the line after the change; not for a removed line.'),
    width: pixels.describe('The width of the image in pixels.'),
    height: pixels.describe('The height of the image in pixels.'),
    x: pixels.describe('The distance of the point from the left edge in pixels.'),
    y: pixels.describe('The distance of the point from the upper edge in pixels.'),
  })
  .optional();

/** The parameter as the input of the core. */
export const positionInput = (given: z.output<typeof positionParam>) =>
  given && {
    type: given.position_type,
    baseSha: given.base_sha,
    startSha: given.start_sha,
    headSha: given.head_sha,
    oldPath: given.old_path,
    newPath: given.new_path,
    oldLine: given.old_line,
    newLine: given.new_line,
    width: given.width,
    height: given.height,
    x: given.x,
    y: given.y,
  };
