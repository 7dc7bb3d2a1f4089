import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

const breaks = 50

/** The browser's network comes back: what waits to try again does so at once. */
const online = `dispatchEvent(new Event('online'))`

/** Types at the end of the editor's text. */
async function typeAtEnd(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Application' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(text)
}

describe('text that is typed and not stored', { skip: noBrowser }, () => {
  it('is left by a link, the way back or a reload only after a question', async () => {
    const { mesh, open } = await sharedConsole()
    await mesh.fixture.hydratedOnce('typed')
    await using console = await open('/applications?text=typed', { user: 'admin' })
    const { page } = console
    await page.getByRole('link', { name: 'typed', exact: true }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await typeAtEnd(page, '  revisionHistoryLimit: 3')
    const question = page.getByRole('dialog', { name: 'Leave what you typed?' })
    const stay = async () => {
      await question.getByRole('button', { name: 'Stay' }).click()
      await question.waitFor({ state: 'hidden' })
      assert.match(page.url(), /typed\?tab=object$/)
      await page.getByText('revisionHistoryLimit').waitFor()
    }
    await page.getByRole('tab', { name: 'History' }).click()
    await stay()
    await page.goBack()
    await stay()
    const asked = page.waitForEvent('dialog')
    await page.evaluate('setTimeout(() => location.reload())')
    const ofBrowser = await asked
    assert.equal(ofBrowser.type(), 'beforeunload')
    await ofBrowser.dismiss()
    await page.getByRole('link', { name: 'Branches', exact: true }).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'Branches' }).waitFor()
    // There is nothing left to lose.
    await page.goBack()
    await page.getByRole('textbox', { name: 'Application' }).waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByRole('tab', { name: 'History', selected: true }).waitFor()
  })

  it('stays in the editor when its stream breaks fifty times, and is stored then', async () => {
    const { mesh, open } = await sharedConsole()
    await mesh.fixture.hydratedOnce('broken-often')
    await using console = await open('/applications/argocd/broken-often?tab=object', { user: 'admin' })
    const { page } = console
    await page.getByText('Live', { exact: true }).waitFor()
    await typeAtEnd(page, '  revisionHistoryLimit: 3')
    for (let count = 1; count <= breaks; count++) {
      console.cut()
      await page.getByText('Reconnecting', { exact: true }).waitFor()
      console.restore()
      await page.evaluate(online)
      await page.getByText('Live', { exact: true }).waitFor()
    }
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Store and hydrate' }).click()
    await page.getByText('The Application is stored.').waitFor()
    const { application } = await mesh.admin.applications.getApplication({ name: 'broken-often' })
    assert.match(JSON.stringify(application), /"revisionHistoryLimit":3/)
  })
})
