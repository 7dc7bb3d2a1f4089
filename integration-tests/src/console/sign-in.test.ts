import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startOpenIdProvider } from '@wadi/testing/openid-provider.ts'
import { passwordOf } from '../access/users-fixture.ts'
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

  it('comes once over whatever is open when the session ends elsewhere, and nothing below it is lost', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('ended', { 'greeting/greeting.txt': 'hello' })
    const application = {
      name: 'ended',
      path: 'greeting',
      repoURL: repository.url,
      branch: 'environments/ended',
    }
    await mesh.fixture.applyAndWait(await repository.dry.head(), application)
    await using console = await open('/applications/argocd/ended?tab=parameters', { user: 'admin' })
    const { page } = console
    await page.getByRole('textbox', { name: 'Size', exact: true }).fill('5')
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Review and save' }).click()
    const review = page.getByRole('dialog', { name: 'Save parameters' })
    await review.getByText('Writes greeting/.argocd-source.yaml').waitFor()
    await review.getByRole('textbox', { name: 'Message of the commit' }).fill('Five')
    // The stream of the page ends with the session; nobody calls anything on this page.
    const { origin } = new URL(page.url())
    const left = await page.request.post(`${origin}/auth/logout`, { headers: { origin } })
    assert.ok(left.ok())
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    await dialog.getByLabel('Password', { exact: true }).press('Escape')
    await dialog.getByLabel('Password', { exact: true }).fill(passwordOf('admin'))
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(await review.getByRole('textbox', { name: 'Message of the commit' }).inputValue(), 'Five')
    await review.getByRole('button', { name: 'Save', exact: true }).click()
    await review.getByText(/^Commit [0-9a-f]{7} is on main\.$/).waitFor()
  })

  it('comes at once in tabs that follow nothing when another one signs out', async () => {
    const { open } = await sharedConsole()
    await using console = await open('/settings?tab=about', { user: 'admin' })
    const { page } = console
    const other = await page.context().newPage()
    await other.goto(new URL('/applications', page.url()).href)
    await other.getByRole('button', { name: 'admin' }).click()
    await other.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await console.signIn('admin')
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor({ state: 'hidden' })
  })
})
