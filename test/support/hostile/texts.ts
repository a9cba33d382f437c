import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Adds an element with `data-evil` to a page that does not escape text or attributes. */
export const evil = `"'><b data-evil onclick=alert(1)>`;
/** The same for names, which cannot contain spaces. */
export const evilName = `"'><svg/data-evil/onload=alert(1)>`;
/** Elements that are not ours: pages have icons, dots, charts, and scripts of the service by their addresses. */
const foreign =
  '[data-evil], script:not([src^="/assets/"]), svg:not(.icon, .dot, .chart), iframe, object, embed, base';

export const evilText = `${evil} <script data-evil>alert(1)</script>

[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,x) [d](vbscript:x)
[e](java&#115;cript:alert(1)) [f](&#9;javascript:alert(1)) [g][h] <javascript:alert(1)>
![i](javascript:alert(1)) ![${evil}](x${evilName}) [j](/x "${evil}") [k](https://example.com/${evilName})
[l](//example.com) [m](../../../../..) [n](file:///etc/passwd) javascript:alert(1)

[h]: javascript:alert(1)

# ${evil}

\`\`\`${evilName}
${evil}
\`\`\`
`;

/** Expects that no text of a user became an element, a handler or a target that runs. */
export async function expectNothingInjected(page: Page): Promise<void> {
  expect(await page.locator(foreign).count()).toBe(0);
  const unsafe = await page.locator('body *').evaluateAll((elements) => ({
    handlers: elements.flatMap((element) =>
      [...element.attributes].filter((attribute) => attribute.name.startsWith('on')).map(String),
    ),
    targets: elements
      .flatMap((element) => [
        (element as HTMLAnchorElement).href,
        (element as HTMLImageElement).src,
        (element as HTMLFormElement).action,
      ])
      .filter((target) => typeof target === 'string' && target !== '')
      .filter((target) => !/^(?:https?|mailto):/.test(target)),
  }));
  expect(unsafe).toEqual({ handlers: [], targets: [] });
}
