import type { Page } from './page.ts';

/** Every page, fixed addresses before patterns. */
export const pages: readonly Page[] = [];
