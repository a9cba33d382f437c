import { createHash } from 'node:crypto';
import { type FieldErrors, refuseFaults, rejected } from '../kernel/errors.ts';
import { blankOrTooLong } from '../kernel/lengths.ts';
import type { FileDiff } from '../ports/git/diff.ts';
import { lineOf } from './hunks.ts';
import type { DiffPositionInput } from './types.ts';

/** A position that a client names. */
export interface Position {
  readonly type: 'text' | 'image';
  readonly baseSha: string;
  readonly startSha: string;
  readonly headSha: string;
  readonly oldPath: string;
  readonly newPath: string;
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly x: number | null;
  readonly y: number | null;
}

/** A position that a diff has, as it is stored. */
export interface CheckedPosition extends Position {
  /** As payloads of webhooks name the line; null for a point of an image. */
  readonly lineCode: string | null;
}

/** In characters. */
const longestPath = 4096;

/** The diff does not have the position: v4 names the code of the line, which clients do not send. */
export const noSuchPosition = () =>
  rejected(
    `400 (Bad request) "Note {:line_code=>["can't be blank", "must be a valid line code"]}" not given`,
  );

/** The position with all its fields. Throws if no diff can have it. */
export function positionOf(input: typeof DiffPositionInput.$inferInput): Position {
  const { type, baseSha, startSha, headSha } = input;
  const isText = type === 'text';
  const oldPath = input.oldPath || input.newPath || '';
  const newPath = input.newPath || oldPath;
  const line = (number: number | null | undefined) => (isText ? (number ?? null) : null);
  const pixels = (number: number | null | undefined) => (isText ? null : (number ?? null));
  const position = {
    ...{ type, baseSha, startSha, headSha, oldPath, newPath },
    oldLine: line(input.oldLine),
    newLine: line(input.newLine),
    width: pixels(input.width),
    height: pixels(input.height),
    x: pixels(input.x),
    y: pixels(input.y),
  };
  refuseFaults(faultsOf(position));
  return position;
}

const notNegative = (value: number | null): readonly string[] =>
  value !== null && value < 0 ? ['must be greater than or equal to 0'] : [];

const faultsOf = ({ oldPath, newPath, ...position }: Position): FieldErrors => ({
  oldPath: blankOrTooLong(oldPath, longestPath),
  newPath: blankOrTooLong(newPath, longestPath),
  width: notNegative(position.width),
  height: notNegative(position.height),
  x: notNegative(position.x),
  y: notNegative(position.y),
});

/** The position as it is stored. Throws unless one of the files of the diff shows it. */
export function positionIn(files: readonly FileDiff[], position: Position): CheckedPosition {
  const { oldPath, newPath } = position;
  const file = files.find((changed) => changed.oldPath === oldPath && changed.newPath === newPath);
  if (!file) throw noSuchPosition();
  if (position.type === 'image') return { ...position, lineCode: null };
  const line = lineOf(file.diff, position);
  if (!line) throw noSuchPosition();
  const pathDigest = createHash('sha1').update(newPath).digest('hex');
  return { ...position, lineCode: `${pathDigest}_${line.oldPlace}_${line.newPlace}` };
}
