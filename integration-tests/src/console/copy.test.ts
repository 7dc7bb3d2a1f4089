import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser, plainHost } from './chromium.ts'

describe('an id of a commit', { skip: noBrowser }, () => {
  it('is copied also without TLS, and shown whole when the browser does not copy it', async () => {
    const { mesh, open } = await sharedConsole()
    const { repository, branch } = await mesh.fixture.hydratedOnce('copied-id')
    const sha = await repository.head(branch)
    await using console = await open('/applications')
    const { page, signIn } = console
    const { origin, port } = new URL(page.url())
    const history = '/applications/argocd/copied-id?tab=history'
    const id = page.getByRole('button', { name: `hydrated commit ${sha.slice(0, 7)}: copy` }).first()
    await page.goto(`http://${plainHost}:${port}${history}`)
    await signIn('admin')
    assert.equal(await page.evaluate('isSecureContext'), false)
    await id.click()
    await page.getByRole('tooltip', { name: 'Copied' }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search everything' })
    await field.press('ControlOrMeta+v')
    assert.equal(await field.inputValue(), sha)
    const session = await page.context().newCDPSession(page)
    const permission = { name: 'clipboard-write' }
    await session.send('Browser.setPermission', { permission, setting: 'denied', origin })
    await page.goto(`${origin}${history}`)
    await signIn('admin')
    await id.click()
    await page.getByRole('alert').filter({ hasText: 'Nothing is copied' }).getByText(sha).waitFor()
    await page.context().clearPermissions()
  })
})
