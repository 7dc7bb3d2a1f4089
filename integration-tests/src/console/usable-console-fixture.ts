import assert from 'node:assert/strict'
import { join } from 'node:path'
import { until } from '@wadi/testing/until.ts'
import type { Page } from 'playwright-core'
import { assertFits, axe, type Look, looks, obstacles } from '../usable-page-fixture.ts'

/** The directory for a screenshot of each page and look; none by default. */
const shots = process.env['WADI_CONSOLE_SHOTS']

interface Usable {
  /** All by default; those with all rules have each width and each color once. */
  among?: readonly Look[]
  /** True for a page that waits for the server. */
  isLoading?: boolean
}

/** Fails unless everybody can use the page that is open, in every variant. */
export async function assertUsable(
  page: Page,
  name: string,
  { among = looks, isLoading = false }: Usable = {},
): Promise<void> {
  // The debugger's way in, which the policy of the page does not concern.
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axe)
  for (const look of among) {
    await show(page, look, isLoading)
    const shown = `${name}, ${look.colorScheme}, ${look.width} px wide`
    await assertFits(page, shown)
    if ((await obstacles(page, look)).length > 0) {
      // An editor takes some frames to measure its new width; drawing them in each variant takes longer than checking one again.
      await drawFrames(page, 5)
      assert.deepEqual(await obstacles(page, look), [], shown)
    }
    if (shots !== undefined) {
      const file = `${name.replaceAll(/\W+/g, '-')}-${look.width}-${look.colorScheme}.png`
      await page.screenshot({ path: join(shots, file), fullPage: true })
    }
  }
}

/** Shows a page in a variant, and waits until it has all of it. */
async function show(page: Page, { colorScheme, width }: Look, isLoading: boolean): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 900 })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  const loading = page.getByRole('status', { name: 'Loading' }).or(page.getByRole('progressbar'))
  if (!isLoading) await until(async () => (await loading.count()) === 0)
  // Two frames later what changes by a transition is on its way, with colors between those of the variants, and is taken to its end.
  await drawFrames(page, 2)
  await page.evaluate(
    'for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()',
  )
}

async function drawFrames(page: Page, count: number): Promise<void> {
  await page.evaluate(
    `(async () => { for (let frame = 0; frame < ${count}; frame++) await new Promise(requestAnimationFrame) })()`,
  )
}
