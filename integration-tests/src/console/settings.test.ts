import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { objectAt } from '@wadi/fields/json-fields.ts'
import { until } from '@wadi/testing/until.ts'
import type { Locator } from 'playwright-core'
import { configMap } from '../application-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { gitUser } from '../mesh-fixture.ts'
import { noBrowser } from './chromium.ts'

describe('the settings', { skip: noBrowser }, () => {
  it('answer what somebody may do with the rule that decides', async () => {
    const { open } = await sharedConsole()
    await using console = await open('/settings', { user: 'admin' })
    const { page } = console
    await page.getByRole('tab', { name: 'Policy' }).click()
    await page.getByRole('button', { name: 'Ask' }).click()
    await page.getByText('Who is required').waitFor()
    await page.getByRole('textbox', { name: 'Who' }).fill('ann')
    await page.getByRole('combobox', { name: 'Action' }).fill('sync')
    await page.getByRole('textbox', { name: 'Object' }).fill('web/shop')
    await page.getByRole('button', { name: 'Ask' }).click()
    const answer = page.getByRole('status')
    await answer.getByText('ann may sync applications web/shop.').waitFor()
    await answer.getByText('p, role:web, applications, *, web/*, allow').waitFor()
    await answer.getByText(/in argocd-rbac-cm policy\.csv:1$/).waitFor()
    await page.getByRole('textbox', { name: 'Object' }).fill('api/shop')
    await page.getByRole('button', { name: 'Ask' }).click()
    await answer.getByText('ann may not sync applications api/shop.').waitFor()
    await answer.getByText('No rule allows it.').waitFor()
  })

  it('show what the server finds wrong, and how it contains renderers', async () => {
    const { mesh, open } = await sharedConsole()
    // A group without a g line has no right, which the server warns of.
    await mesh.applyPolicy('p, nobodys, applications, sync, web/*, allow', 'g, x, role:missing')
    await using console = await open('/settings?tab=checks', { user: 'admin' })
    const { page } = console
    await page.getByRole('row', { name: /^memory / }).waitFor()
    // The server takes up a policy a little after it is stored.
    const warning = page
      .getByRole('alert')
      .filter({ hasText: 'Warning: policy' })
      .getByText(/role:missing/)
    const checkUntil = (isShown: boolean) =>
      until(async () => {
        await page.getByRole('button', { name: 'Check again' }).click()
        return (await warning.isVisible()) === isShown
      })
    await checkUntil(true)
    await mesh.applyPolicy()
    await checkUntil(false)
  })

  it('are cards on a telephone, which count the keys of an account', async () => {
    const { open } = await sharedConsole()
    await using console = await open('/settings?tab=accounts', { user: 'admin', width: 390 })
    const { page } = console
    await page.getByRole('definition').getByText('0 keys').first().waitFor()
    assert.equal(await page.getByRole('table').count(), 0)
  })

  it('make API keys of accounts and tokens of roles, none of which is lost uncopied, and revoke them', async () => {
    const { mesh, open } = await sharedConsole()
    const projects = await mesh.admin.projects.getProject({ name: 'api' })
    const project = projects.project ?? {}
    const spec = { ...objectAt(project, 'spec'), roles: [{ name: 'ci', policies: [], groups: [] }] }
    await mesh.admin.resources.applyResource({
      resource: {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'AppProject',
        metadata: { name: 'api' },
        spec,
      },
    })
    await using console = await open('/settings?tab=accounts', { user: 'admin' })
    const { page } = console
    const question = page.getByRole('dialog', { name: 'Leave the new key?' })
    const make = async (button: string, title: string) => {
      await page.getByRole('button', { name: button }).click()
      const dialog = page.getByRole('dialog', { name: title })
      await dialog.getByText('No keys yet.').waitFor()
      await dialog.getByRole('button', { name: 'Make a key' }).click()
      const key = await dialog.getByRole('textbox', { name: 'New key' }).inputValue()
      assert.match(key, /^ey[\w-]+\./)
      await dialog
        .getByRole('row')
        .filter({ hasText: /in (?:29|30) days|in 1 mo/ })
        .waitFor()
      return { dialog, key }
    }
    const revokeAndClose = async (dialog: Locator) => {
      await dialog.getByRole('button', { name: /^Revoke / }).click()
      await dialog.getByRole('button', { name: /^For good\?/ }).click()
      await dialog.getByText('No keys yet.').waitFor()
      await dialog.getByRole('button', { name: 'Close the dialog' }).click()
    }
    const ofAccount = await make('Manage keys of bob', 'API keys of bob')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'hidden' })
    assert.ok(await ofAccount.dialog.getByRole('button', { name: 'Make a key' }).isDisabled())
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await ofAccount.dialog.getByRole('button', { name: 'Copy', exact: true }).click()
    await ofAccount.dialog.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), ofAccount.key)
    await page.context().clearPermissions()
    await revokeAndClose(ofAccount.dialog)
    await ofAccount.dialog.waitFor({ state: 'hidden' })
    await page.getByRole('tab', { name: 'Projects' }).click()
    const ofRole = await make('ci: 0 tokens of project api', 'Tokens of ci of api')
    await revokeAndClose(ofRole.dialog)
    await question.getByRole('button', { name: 'Leave' }).click()
    await ofRole.dialog.waitFor({ state: 'hidden' })
  })

  it('store a repository with credentials that reach it', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('stored-in-form', { 'a.yaml': '' })
    await using console = await open('/settings', { user: 'admin' })
    const { page } = console
    await page.getByRole('button', { name: 'Add a repository' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a repository' })
    const fill = (name: string, text: string) => dialog.getByRole('textbox', { name, exact: true }).fill(text)
    const store = dialog.getByRole('button', { name: 'Reach and store' })
    await fill('URL', repository.url)
    await store.click()
    await dialog.getByText('A password or a token is required').waitFor()
    await fill('User', gitUser.username)
    const password = dialog
      .getByLabel('Password or token', { exact: true })
      .and(dialog.locator('input[type=password]'))
    await password.fill('wrong')
    await store.click()
    await dialog.getByText('Not everything was stored').waitFor()
    await password.fill(gitUser.password)
    await store.click()
    await dialog.waitFor({ state: 'hidden' })
    const row = page.getByRole('row').filter({ hasText: repository.url })
    await row.getByText(`password of ${gitUser.username}`).waitFor()
    await page.getByText('To write manifests').click()
    await row.getByText(`password of ${gitUser.username}`).waitFor()
  })

  it('replace credentials in the version that was seen, and name whom those serve that are deleted', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('replaced-in-form', {
      'web/a.yaml': configMap('a', '1'),
    })
    const { url: repoUrl } = repository
    const stored = { repoUrl, ...gitUser, skipValidation: true }
    await mesh.admin.repositories.createRepository({ ...stored, proxy: 'http://127.0.0.1:9' })
    await mesh.fixture.apply({ name: 'served', path: 'web', repoURL: repoUrl, branch: 'environments/served' })
    await using console = await open('/settings', { user: 'admin' })
    const { page } = console
    // The tab may have the list of before.
    await page.reload()
    const choose = async (action: string) => {
      await page.getByRole('button', { name: `Actions of ${repoUrl}`, exact: true }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    const dialog = page.getByRole('dialog')
    await choose('Edit')
    await dialog.getByText('default/served', { exact: true }).waitFor()
    const password = dialog
      .getByLabel('Password or token', { exact: true })
      .and(dialog.locator('input[type=password]'))
    await password.fill(gitUser.password)
    // Somebody else is faster.
    await mesh.admin.repositories.createRepository({
      ...stored,
      upsert: true,
      keepOthers: true,
      proxy: '',
      insecure: true,
    })
    await dialog.getByRole('button', { name: 'Reach and replace' }).click()
    await dialog.getByText('Not everything was stored').waitFor()
    await dialog.getByRole('button', { name: 'Keep what I typed, which replaces those' }).click()
    assert.equal(await password.inputValue(), gitUser.password)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await choose('Delete')
    await dialog.getByText('default/served', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { repositories } = await mesh.admin.repositories.listRepositories({})
    assert.ok(!repositories.some((one) => one.repoUrl === repoUrl))
  })

  it('offer what is about others only to those who may read it', async () => {
    const { open } = await sharedConsole()
    await using console = await open('/settings?tab=rights', { user: 'ann' })
    const { page } = console
    await page.getByRole('button', { name: 'May I?' }).click()
    await page.getByRole('status').waitFor()
    for (const name of ['Policy', 'Checks'])
      assert.equal(await page.getByRole('tab', { name }).count(), 0, name)
    await page.goto(new URL('/settings?tab=policy', page.url()).href)
    await page.getByRole('textbox', { name: 'Who' }).fill('bob')
    await page.getByRole('button', { name: 'Ask' }).click()
    await page
      .getByRole('alert')
      .getByText(/You may not do this: .*settings, get/)
      .waitFor()
  })
  it('offer to add a repository to those who may for one project alone', async () => {
    const { mesh, open } = await sharedConsole()
    await mesh.applyPolicy('p, role:web, write-repositories, create, web/*, allow')
    await using console = await open('/settings', { user: 'ann' })
    const { page } = console
    await page.getByRole('button', { name: 'Add a repository' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a repository' })
    const project = dialog.getByLabel('Project')
    assert.equal(await project.inputValue(), 'web')
    assert.ok(await dialog.getByLabel('Read dry sources').isDisabled())
    await project.fill('')
    await dialog.getByRole('button', { name: 'Reach and store' }).click()
    await dialog.getByText('You may store this for a project alone').waitFor()
    await mesh.applyPolicy()
  })
})
