import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

describe('the search over everything', { skip: noBrowser }, () => {
  it('is opened and used by keyboard, finds by name and by commit, and says what is chosen', async () => {
    const { mesh, open } = await sharedConsole()
    const { repository, branch } = await mesh.fixture.hydratedOnce('searched')
    await using console = await open('/branches', { user: 'admin' })
    const { page } = console
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog', { name: 'Search everything' })
    const field = dialog.getByRole('combobox', { name: 'Search everything' })
    await field.fill('searched')
    await dialog.getByRole('option', { name: new RegExp(`^${branch}`) }).waitFor()
    await field.press('ArrowDown')
    await field.press('ArrowUp')
    const chosen = await field.getAttribute('aria-activedescendant')
    assert.match(await dialog.locator(`[id="${chosen}"]`).innerText(), /^searched/)
    await field.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'searched', exact: true }).waitFor()
    assert.equal(await dialog.count(), 0)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const sha = await repository.dry.head()
    await field.fill(sha.slice(0, 8))
    await dialog.getByRole('option', { name: `dry commit ${sha.slice(0, 7)}` }).click()
    await page.waitForURL((url) => url.pathname === '/commit' && url.searchParams.get('sha') === sha)
    await page.keyboard.press('Control+k')
    await field.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  it('finds nothing that the policy hides, and no page that is for others', async () => {
    const { mesh, open } = await sharedConsole()
    await mesh.fixture.hydratedOnce('searched-hidden')
    await using console = await open('/branches', { user: 'bob' })
    const { page } = console
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog', { name: 'Search everything' })
    await dialog.getByRole('option', { name: 'Settings: Rights' }).waitFor()
    assert.equal(await dialog.getByRole('option', { name: 'Settings: Policy' }).count(), 0)
    await dialog.getByRole('combobox', { name: 'Search everything' }).fill('searched-hidden')
    await dialog.getByText('Nothing found').waitFor()
  })
})
