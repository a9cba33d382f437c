import type { ImportParts } from './parts.ts';
import type { Milestones } from './planning.ts';
import type { Original, Target } from './target.ts';
import type { References, Texts } from './texts.ts';

/** An import of one project. */
export interface ProjectImport extends ImportParts {
  readonly original: Original;
  readonly target: Target;
  /** The path of the original in the source's API. */
  readonly path: string;
  readonly texts: Texts;
  readonly references: References;
  readonly milestones: Milestones;
}
