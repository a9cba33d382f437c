import { builder } from '../kernel/builder.ts';
import { publiclyTyped } from '../kernel/public.ts';

export const DiffPositionType = builder.enumType('DiffPositionType', {
  description: 'What a position in a diff is.',
  values: {
    text: { description: 'A line of a text.' },
    image: { description: 'A point of an image.' },
  } as const,
});

const about = {
  type: 'Whether the position is a line of a text or a point of an image.',
  baseSha: 'The id of the commit that the diff starts from.',
  startSha:
    'The id of the commit of the target branch; the same as `baseSha` for the diff of a commit.',
  headSha: 'The id of the commit that the diff leads to.',
  oldPath: 'The path of the file before the change.',
  newPath: 'The path of the file after the change.',
  oldLine: 'The number of the line before the change, from 1. Null for an added line.',
  newLine: 'The number of the line after the change, from 1. Null for a removed line.',
  width: 'The width of the image in pixels. Null for a text.',
  height: 'The height of the image in pixels. Null for a text.',
  x: 'The distance of the point from the left edge in pixels. Null for a text.',
  y: 'The distance of the point from the upper edge in pixels. Null for a text.',
} as const;

export const DiffPosition = builder.prismaObject('DiffPosition', {
  description: 'The place in a diff that a note is written on, as it was when it was written.',
  fields: (t) => ({
    type: t.expose('type', { type: DiffPositionType, description: about.type }),
    baseSha: t.expose('baseSha', { type: 'SHA', description: about.baseSha }),
    startSha: t.expose('startSha', { type: 'SHA', description: about.startSha }),
    headSha: t.expose('headSha', { type: 'SHA', description: about.headSha }),
    oldPath: t.exposeString('oldPath', { description: about.oldPath }),
    newPath: t.exposeString('newPath', { description: about.newPath }),
    oldLine: t.exposeInt('oldLine', { nullable: true, description: about.oldLine }),
    newLine: t.exposeInt('newLine', { nullable: true, description: about.newLine }),
    width: t.exposeInt('width', { nullable: true, description: about.width }),
    height: t.exposeInt('height', { nullable: true, description: about.height }),
    x: t.exposeInt('x', { nullable: true, description: about.x }),
    y: t.exposeInt('y', { nullable: true, description: about.y }),
  }),
});

export const DiffPositionInput = builder.inputType('DiffPositionInput', {
  description: 'The place in a diff that a note is written on.',
  fields: (t) => ({
    type: t.field({ type: DiffPositionType, required: true, description: about.type }),
    baseSha: t.string({
      required: true,
      description: about.baseSha,
      extensions: publiclyTyped('SHA'),
    }),
    startSha: t.string({
      required: true,
      description: about.startSha,
      extensions: publiclyTyped('SHA'),
    }),
    headSha: t.string({
      required: true,
      description: about.headSha,
      extensions: publiclyTyped('SHA'),
    }),
    oldPath: t.string({ description: `${about.oldPath} By default the same as \`newPath\`.` }),
    newPath: t.string({ description: `${about.newPath} By default the same as \`oldPath\`.` }),
    oldLine: t.int({ description: about.oldLine }),
    newLine: t.int({ description: about.newLine }),
    width: t.int({ description: about.width }),
    height: t.int({ description: about.height }),
    x: t.int({ description: about.x }),
    y: t.int({ description: about.y }),
  }),
});
