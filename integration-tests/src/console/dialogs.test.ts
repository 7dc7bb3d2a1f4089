import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import type { Locator, Page } from 'playwright-core'
import { passwordOf } from '../access/users-fixture.ts'
import { configMap } from '../application-fixture.ts'
import { sharedConsole, visit } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

/** A dialog and the way to it. */
interface Opened {
  address: string
  /** Gets the focus back. */
  opener: (page: Page) => Locator
  /** The item of the menu that the opener opens; without it the opener opens the dialog. */
  item?: string
  /** The field in which text is typed that would be lost with the dialog. */
  field?: string
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first()
const ofApplication = '/applications/argocd/dialogs'

/** Dialogs by their names: one of each kind. */
const dialogs: Readonly<Record<string, Opened>> = {
  'Search everything': { address: '/applications', opener: button('Search') },
  'Delete dialogs?': { address: ofApplication, opener: button('More actions'), item: 'Delete' },
  'Go back to': {
    address: `${ofApplication}?tab=history`,
    opener: button(/^Go back to this/),
    field: 'Message of the commit',
  },
  'ConfigMap dialogs': {
    address: `${ofApplication}?tab=objects`,
    opener: (page) => page.getByRole('link', { name: 'dialogs', exact: true }).last(),
  },
  'New project': { address: '/settings?tab=projects', opener: button('New project'), field: 'Description' },
  'Change project default': {
    address: '/settings?tab=projects',
    opener: button('Actions of project default'),
    item: 'Edit',
    field: 'Description',
  },
  'API keys of bob': { address: '/settings?tab=accounts', opener: button('Manage keys of bob') },
  'Add a repository': { address: '/settings', opener: button('Add a repository'), field: 'URL' },
}

/** Ends the session as another tab does. */
async function endSession(page: Page): Promise<void> {
  const { origin } = new URL(page.url())
  await page.request.post(`${origin}/auth/logout`, { headers: { origin } })
  await page.evaluate(`new BroadcastChannel('wadi-session').postMessage('signed out')`)
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
}

async function signInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByLabel('Password', { exact: true }).fill(passwordOf('admin'))
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** Fails unless the dialog keeps typed text when the session ends, and asks before that text is left. */
async function assertKeepsText(page: Page, dialog: Locator, field: Locator): Promise<void> {
  await field.fill('Typed')
  await endSession(page)
  await page.keyboard.press('Escape')
  await signInAgain(page)
  const question = page.getByRole('dialog', { name: 'Leave what you typed?' })
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Stay' }).waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  assert.equal(await field.inputValue(), 'Typed')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
}

/** Fails unless a dialog and notifications are both in sight, one below the other. */
async function assertApart(dialog: Locator, toasts: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Close the dialog' }).click({ trial: true })
  await toasts.first().getByRole('button', { name: 'Close' }).click({ trial: true })
  const room = dialog.page().locator('.mantine-Notifications-root').filter({ has: toasts.first() })
  await until(async () => {
    const [above, below] = await Promise.all([dialog.boundingBox(), room.boundingBox()])
    if (!above || !below || above.height < 100) return false
    return above.y + above.height <= below.y && below.y + below.height <= 900
  })
}

describe('every dialog', { skip: noBrowser }, () => {
  it('closes by Escape, keeps typed text when the session ends and asks before it is left, and gives the focus back', async () => {
    const { mesh, open } = await sharedConsole()
    const { repository, branch } = await mesh.fixture.hydratedOnce('dialogs')
    const former = await repository.head(branch)
    await repository.push({ 'dialogs/a.yaml': configMap('dialogs', '2') })
    await mesh.fixture.hydrate('dialogs')
    await repository.waitForHead(branch, (head) => head !== former)
    await using console = await open('/applications', { user: 'admin' })
    const { page } = console
    for (const [name, { address, opener, item, field }] of Object.entries(dialogs)) {
      await visit(page, address)
      await opener(page).press('Enter')
      if (item !== undefined) await page.getByRole('menuitem', { name: item }).press('Enter')
      const dialog = page.getByRole('dialog', { name })
      await dialog.getByRole('button', { name: 'Close the dialog' }).waitFor()
      if (field === undefined) await page.keyboard.press('Escape')
      else await assertKeepsText(page, dialog, dialog.getByRole('textbox', { name: field, exact: true }))
      await dialog.waitFor({ state: 'hidden' })
      await opener(page).and(page.locator(':focus')).waitFor()
    }
  })
  it('is covered by no notification on a telephone, however many there are', async () => {
    const { mesh, open } = await sharedConsole()
    await mesh.fixture.hydratedOnce('toasted')
    await using console = await open('/applications/argocd/toasted', { user: 'admin', width: 390 })
    const { page } = console
    const hydrate = page.getByRole('button', { name: 'Hydrate', exact: true })
    await hydrate.waitFor()
    const toasts = page.getByRole('alert').filter({ hasText: 'toasted is not hydrated' })
    for (const count of [1, 5]) {
      await page.context().setOffline(true)
      for (let shown = await toasts.count(); shown < count; shown++) {
        await hydrate.press('Enter')
        await toasts.nth(shown).waitFor()
      }
      await page.context().setOffline(false)
      await page.getByRole('button', { name: 'More actions' }).press('Enter')
      await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Delete toasted?' })
      await assertApart(dialog, toasts)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    }
    await visit(page, '/applications/argocd/toasted?tab=objects&object=ConfigMap//toasted')
    await assertApart(page.getByRole('dialog', { name: 'ConfigMap toasted' }), toasts)
  })
})
