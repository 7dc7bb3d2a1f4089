import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startOpenIdProvider } from '@wadi/testing/openid-provider.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

describe('the sign-in', { skip: noBrowser }, () => {
  it('leads to the OpenID provider and back to the page that was asked for, and the sign-out ends it', async () => {
    const { mesh, open } = await sharedConsole()
    await using provider = await startOpenIdProvider({
      users: { pia: { email: 'pia@example.com', groups: ['platform'] } },
    })
    const { issuer, clientID } = provider
    await mesh.applySettings({ 'oidc.config': JSON.stringify({ name: 'Local', issuer, clientID }) })
    await mesh.applyPolicy('g, platform, role:web')
    await using console = await open('/applications?text=nothing-like-it')
    const { page } = console
    await page.getByRole('link', { name: 'Sign in with Local' }).click()
    await page.getByRole('button', { name: 'pia@example.com' }).waitFor()
    const { pathname, search } = new URL(page.url())
    assert.equal(pathname + search, '/applications?text=nothing-like-it')
    // Her group gives her the rights of the project web.
    await page.getByRole('link', { name: 'New Application' }).waitFor()
    const cookies = await page.context().cookies(page.url())
    assert.ok(cookies.some(({ name, httpOnly }) => name.startsWith('argocd.token') && httpOnly))
    await page.getByRole('button', { name: 'pia@example.com' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in with Local' }).waitFor()
    const left = await page.context().cookies(page.url())
    assert.deepEqual(
      left.filter(({ name }) => name.startsWith('argocd.token')),
      [],
    )
    await page.reload()
    await page.getByRole('link', { name: 'Sign in with Local' }).waitFor()
    await mesh.applySettings({})
    await mesh.applyPolicy()
  })

  it('in another tab takes up the session of a page that is half filled in', async () => {
    const { mesh, open } = await sharedConsole()
    await using provider = await startOpenIdProvider({ users: { pia: { groups: ['platform'] } } })
    const { issuer, clientID } = provider
    await mesh.applySettings({ 'oidc.config': JSON.stringify({ name: 'Local', issuer, clientID }) })
    await mesh.applyPolicy('g, platform, role:web')
    await using console = await open('/applications/new')
    const { page } = console
    await page.getByRole('link', { name: 'Sign in with Local' }).click()
    const fields = {
      Repository: 'https://git.example.com/deploy.git',
      Path: 'shop',
      'Target branch': 'environments/half',
      Name: 'half-filled',
      Project: 'web',
    }
    for (const [label, value] of Object.entries(fields))
      await page.getByRole('textbox', { name: label, exact: true }).fill(value)
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Create and hydrate' }).click()
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Sign in with Local in another tab' }).click()
    await (await opened).getByRole('heading', { name: 'Applications', exact: true }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    assert.equal(await name.inputValue(), 'half-filled')
    await mesh.applySettings({})
    await mesh.applyPolicy()
  })
})
