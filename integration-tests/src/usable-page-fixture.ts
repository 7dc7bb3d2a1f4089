import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { until } from '@wadi/testing/until.ts'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** A script for a page that looks for obstacles. */
export const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The colors and widths of a page; the other colors of a width can change only the contrast. */
export const looks = [
  { colorScheme: 'light', width: 1440, rules: 'all' },
  { colorScheme: 'dark', width: 1440, rules: 'contrast' },
  { colorScheme: 'dark', width: 390, rules: 'all' },
  { colorScheme: 'light', width: 390, rules: 'contrast' },
] as const
export type Look = (typeof looks)[number]

/** Each width and each color once: what a width does not fit, and what colors hide, is seen in one of them. */
export const fewLooks = looks.filter(({ rules }) => rules === 'all')

/** Rules for all elements of a page whose violations are moderate at most, and one for which axe reads all styles again. */
const mildRules = JSON.stringify(
  Object.fromEntries(
    ['region', 'heading-order', 'landmark-unique', 'no-autoplay-audio'].map((id) => [id, { enabled: false }]),
  ),
)

/** Returns the obstacles for a screen reader or a weak eye on a page whose document has `axe`. */
export async function obstacles(page: Page, { rules }: Look): Promise<string[]> {
  const only = rules === 'contrast' ? "runOnly: ['color-contrast']" : `rules: ${mildRules}`
  // An obstacle is shown by its HTML: to find a selector for each element takes longer than to look at it.
  const results = await page.evaluate<AxeResults>(
    `axe.run({ ${only}, resultTypes: ['violations'], selectors: false })`,
  )
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`))
}

/** Waits until a page has all of it. @param loading the name of what says that something is loaded */
export async function waitForAll(page: Page, loading = 'Loading'): Promise<void> {
  const pending = page.getByRole('status', { name: loading }).or(page.getByRole('progressbar'))
  await until(async () => (await pending.count()) === 0)
}

/** Fails if the page must be moved sideways to see all of it. */
export async function assertFits(page: Page, shown: string): Promise<void> {
  const excess = await sidewaysExcess(page)
  assert.ok(excess <= 0, `${shown}: ${excess} px too wide`)
}

/** Returns by how many pixels a page is wider than its window. */
export async function sidewaysExcess(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
}

/** The script that returns the texts of a page that are not seen whole, and that no scrolling brings into sight. */
const findCutTexts = `(() => {
  const cuts = ({ overflowX }) => overflowX === 'hidden' || overflowX === 'clip'
  const isCut = (text) => {
    const range = document.createRange()
    range.selectNodeContents(text)
    const { left, right } = range.getBoundingClientRect()
    if (right === left) return false
    for (let element = text.parentElement; element; element = element.parentElement) {
      const style = getComputedStyle(element)
      const box = element.getBoundingClientRect()
      // Those for screen readers alone.
      if (box.width <= 1) return false
      if (style.overflowX === 'auto' || style.overflowX === 'scroll') return false
      if (cuts(style) && (right > box.right + 1 || left < box.left - 1)) return true
    }
    return left < -1 && right > 1
  }
  const found = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { currentNode } = walker
    if (currentNode.data.trim() !== '' && isCut(currentNode)) found.push(currentNode.data.trim())
  }
  return found
})()`

/** Returns the texts of a page that are cut off at a side. */
export async function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(findCutTexts)
}
