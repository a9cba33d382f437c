import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const program = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

type ColorScheme = 'light' | 'dark';

interface Look {
  readonly colorScheme: ColorScheme;
  /** Pixels; by default those of the page's window. */
  readonly width?: number;
}

interface Check {
  /** The elements to look at; '' for the whole document. */
  readonly selector?: string;
  /** The only rule to check; by default all rules. */
  readonly rule?: string;
}

/**
 * Runs in the browser, also in a page whose own scripts are disabled: the serious and critical
 * violations. axe-core defers its steps by timers, which such a page never runs.
 */
async function violationsIn({
  selector,
  rule,
  axeProgram,
}: {
  readonly selector: string;
  readonly rule: string;
  readonly axeProgram: string | null;
}): Promise<readonly string[] | null> {
  const scope = globalThis as unknown as {
    axe?: typeof axe;
    setTimeout: (step: () => void, delay?: number) => unknown;
  };
  if (axeProgram === null && !scope.axe) return null;
  const { setTimeout: timer } = scope;
  scope.setTimeout = (step, delay = 0) =>
    delay > 0 ? timer(step, delay) : void Promise.resolve().then(step);
  try {
    // biome-ignore lint/security/noGlobalEval: the only way to load a program into such a page
    if (!scope.axe && axeProgram !== null) globalThis.eval(axeProgram);
    const { violations = [] } =
      (await scope.axe?.run(selector === '' ? document : { include: selector }, {
        resultTypes: ['violations'],
        // without scripts a running job refreshes its page, until the user stops that
        rules: { 'meta-refresh': { enabled: false } },
        ...(rule !== '' && { runOnly: rule }),
      })) ?? {};
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  } finally {
    scope.setTimeout = timer;
  }
}

/** What axe-core finds in a page as it is: its serious and critical violations, with the element. */
export async function violations(
  page: Page,
  { selector = '', rule = '' }: Check = {},
): Promise<readonly string[]> {
  const check = { selector, rule };
  // a document keeps the program for its next checks
  return (
    (await page.evaluate(violationsIn, { ...check, axeProgram: null })) ??
    (await page.evaluate(violationsIn, { ...check, axeProgram: program })) ??
    []
  );
}

/** Shows the page in a colour scheme, without transitions between schemes, and in a window's width. */
export async function look(page: Page, { colorScheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  if (width) await page.setViewportSize({ width, height: 900 });
}

/**
 * Runs in the browser: the elements with all that decides about their accessibility and colours, but
 * without the texts that differ from record to record.
 */
function structureOf(): string {
  const constant = new Set(['class', 'role', 'type', 'tabindex', 'open', 'disabled', 'checked']);
  const isText = ({ data }: Text) => data.trim() !== '';
  const describe = (element: Element): string => {
    const attributes = [...element.attributes].map(({ name, value }) =>
      constant.has(name) ? `${name}=${value}` : `${name}${value === '' ? '' : '='}`,
    );
    const children = [...element.childNodes].map((node) =>
      node instanceof Element ? describe(node) : node instanceof Text && isText(node) ? '"' : '',
    );
    return `<${element.localName} ${attributes.join(' ')}>${children.join('')}`;
  };
  return describe(document.documentElement);
}

/** The structures that were checked in this worker. */
const checked = new Set<string>();

/**
 * Expects that axe-core finds no serious or critical fault on a page, and enough contrast in light and
 * dark colours. A page of the structure of one that was checked before is not checked again.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const structure = `${page.viewportSize()?.width} ${await page.evaluate(structureOf)}`;
  if (checked.has(structure)) return;
  await look(page, { colorScheme: 'light' });
  expect(await violations(page)).toEqual([]);
  await look(page, { colorScheme: 'dark' });
  expect(await violations(page, { rule: 'color-contrast' })).toEqual([]);
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  checked.add(structure);
}

/**
 * The same for a page that is a program, such as the explorer. A CodeMirror scrolls by the keys of its
 * focused text area, which is beside the scrolled element.
 */
export async function expectProgramAccessible(page: Page): Promise<void> {
  const isFault = (fault: string) =>
    !/^scrollable-region-focusable: <div class="CodeMirror-scroll"/.test(fault);
  expect((await violations(page)).filter(isFault)).toEqual([]);
}

/** Opens what is collapsed within the text, and waits until its content is loaded. */
async function openDetails(page: Page): Promise<void> {
  const isLoading = await page.evaluate(() => {
    const loads = document.querySelector('details[data-load], [data-replace]') !== null;
    for (const details of document.querySelectorAll<HTMLDetailsElement>('details:not(.menu)')) {
      details.open = true;
    }
    return loads;
  });
  // it takes half a second at least
  if (isLoading) await page.waitForLoadState('networkidle');
}

/**
 * Expects that axe-core finds no serious or critical fault on a page with scripts, with everything
 * collapsed opened: in light colours and a wide window, then in dark colours and a narrow one. Menus
 * cover other content, so each is opened and checked alone.
 */
export async function expectStatesAccessible(page: Page): Promise<void> {
  await openDetails(page);
  await look(page, { colorScheme: 'light', width: 1280 });
  const light = await violations(page);
  await look(page, { colorScheme: 'dark', width: 390 });
  const dark = await violations(page);
  const menus = 'main details.menu';
  const inMenus: string[] = [];
  if ((await page.locator(menus).count()) > 0) {
    await page.evaluate((selector) => {
      for (const menu of document.querySelectorAll<HTMLDetailsElement>(selector)) menu.open = true;
    }, menus);
    inMenus.push(...(await violations(page, { selector: menus })));
  }
  expect({ light, dark, inMenus }).toEqual({ light: [], dark: [], inMenus: [] });
}

/** The same in one look, for a page of which other states are checked in the other. */
export async function expectAccessibleIn(
  page: Page,
  colorScheme: ColorScheme,
  width: number,
): Promise<void> {
  await openDetails(page);
  await look(page, { colorScheme, width });
  expect(await violations(page)).toEqual([]);
}
