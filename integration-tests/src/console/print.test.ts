import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { configMap } from '../application-fixture.ts'
import { propose } from '../review-fixture.ts'
import { assertFits, axe, obstacles, waitForAll } from '../usable-page-fixture.ts'
import { sharedConsole, visit } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

/** The width of A4 within its margins, in pixels. */
const paperWidth = 688

/** The directory for a picture of each page on paper; none by default. */
const shots = process.env['WADI_CONSOLE_SHOTS']

/** Fails unless a page that is open, in dark colours, is a clean sheet when it is printed, then shows it on the screen again. */
async function assertPrints(page: Page, name: string, texts: readonly string[]): Promise<void> {
  await waitForAll(page)
  await page.setViewportSize({ width: paperWidth, height: 1000 })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme=light]').waitFor({ state: 'attached' })
  for (const text of texts) await page.getByText(text).filter({ visible: true }).first().waitFor()
  assert.equal(await page.getByRole('navigation').filter({ visible: true }).count(), 0, name)
  const pressed = page
    .locator('.mantine-Button-root, button.mantine-ActionIcon-root')
    .filter({ visible: true })
  assert.deepEqual(await pressed.allInnerTexts(), [], name)
  assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)')
  await assertFits(page, `${name} on paper`)
  assert.deepEqual(await obstacles(page, { colorScheme: 'light', width: 390, rules: 'contrast' }), [], name)
  if (shots !== undefined) await page.screenshot({ path: join(shots, `print-${name}.png`), fullPage: true })
  const pdf = await page.pdf({
    format: 'A4',
    ...(shots !== undefined && { path: join(shots, `print-${name}.pdf`) }),
  })
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-')
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' })
  await page.setViewportSize({ width: 1440, height: 900 })
}

describe('the record of a change on paper', { skip: noBrowser }, () => {
  it('has the change, in light colours, and nothing to press', async () => {
    const { mesh, open } = await sharedConsole()
    const { repository, branch } = await mesh.fixture.hydratedOnce('paper')
    const former = await repository.head(branch)
    await repository.push({ 'paper/a.yaml': configMap('paper', '2') }, 'Raise the paper')
    await mesh.fixture.hydrate('paper')
    await repository.waitForHead(branch, (head) => head !== former)
    const newest = await repository.head(branch)
    const drySha = await repository.dry.head()
    const ofRepository = new URLSearchParams({ repository: repository.url }).toString()
    await using console = await open('/applications', { user: 'admin' })
    const { page } = console
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.evaluate(axe)
    await visit(page, `/commit?sha=${drySha}&${ofRepository}`)
    await page.getByText('environments/paper').first().waitFor()
    await assertPrints(page, 'commit', ['Raise the paper', newest.slice(0, 7), 'What it changed'])
    await visit(page, `/applications/argocd/paper?tab=compare&from=${former}`)
    await page.getByRole('group', { name: 'ConfigMap paper before' }).waitFor()
    await assertPrints(page, 'comparison', ['Compare', 'ConfigMap paper'])
    await visit(page, '/applications/argocd/paper?tab=runs')
    await page.getByRole('heading', { name: 'Steps' }).waitFor()
    await assertPrints(page, 'run', ['Render and commit', 'Directories'])
    const revision = await propose(repository, 'refs/heads/more', { 'paper/a.yaml': configMap('paper', '3') })
    await visit(page, `/impact?revision=${revision}&${ofRepository}`)
    await page.getByText('1 branch would change').waitFor()
    // Nobody opened the Application.
    await assertPrints(page, 'impact', ['ConfigMap paper: changed', 'value: "3"'])
    await visit(page, '/applications/argocd/paper?tab=history')
    await page.getByRole('button', { name: /^Go back to this/ }).click()
    await page.getByText('paper/a.yaml', { exact: true }).waitFor()
    await assertPrints(page, 'review', ['paper/a.yaml'])
    await page.emulateMedia({ media: null, colorScheme: null })
  })
})

describe('somebody who asks for less motion', { skip: noBrowser }, () => {
  it('sees nothing move when a dialog opens', async () => {
    const { open } = await sharedConsole()
    await using console = await open('/applications', { user: 'admin' })
    const { page } = console
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.keyboard.press('Control+k')
    const search = page.getByRole('combobox', { name: 'Search everything' })
    await search.waitFor()
    const moving = `document.getAnimations().filter((one) => one.effect.getComputedTiming().duration > 1).length`
    assert.equal(await page.evaluate(moving), 0)
    await page.keyboard.press('Escape')
    await search.waitFor({ state: 'hidden' })
    await page.emulateMedia({ reducedMotion: null })
  })
})
