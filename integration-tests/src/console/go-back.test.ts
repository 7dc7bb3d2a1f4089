import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { until } from '@wadi/testing/until.ts'
import { configMap } from '../application-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

describe('a former dry commit', { skip: noBrowser }, () => {
  it('is gone back to by a commit on the dry branch, of what was reviewed, and hydration follows', async () => {
    const { mesh, open } = await sharedConsole()
    const files = { 'back/a.yaml': configMap('back', '1'), 'other/a.yaml': configMap('other', '1') }
    const repository = await mesh.fixture.createRepository('back', files)
    const branch = 'environments/back'
    const first = await repository.dry.head()
    await mesh.fixture.applyAndWait(first, { name: 'back', repoURL: repository.url, branch })
    const hydrated = await repository.head(branch)
    await repository.push({ 'back/a.yaml': configMap('back', '2'), 'other/a.yaml': configMap('other', '2') })
    await mesh.fixture.hydrate('back')
    await repository.waitForHead(branch, (head) => head !== hydrated)
    await using console = await open('/applications/argocd/back?tab=history', { user: 'admin' })
    const { page } = console
    const goBack = page.getByRole('button', { name: `Go back to this: dry commit ${first.slice(0, 7)}` })
    await goBack.press('Enter')
    const dialog = page.getByRole('dialog', { name: `Go back to ${first.slice(0, 7)}` })
    await dialog.getByText('back/a.yaml', { exact: true }).waitFor()
    await dialog.getByRole('textbox', { name: 'Message of the commit' }).fill('Take two back')
    // A telephone that is turned shows cards instead of a table, and what is typed stays.
    await page.setViewportSize({ width: 390, height: 900 })
    await page.getByRole('table').waitFor({ state: 'hidden' })
    const pushed = await repository.push({ 'back/a.yaml': configMap('back', '3') }, 'Three')
    await dialog.getByRole('button', { name: 'Commit' }).click()
    await dialog.getByText(/^Nothing is committed: the files changed meanwhile/).waitFor()
    assert.equal(await repository.head('main'), pushed)
    await dialog.getByText('"3"').first().waitFor()
    await dialog.getByRole('button', { name: 'Commit' }).click()
    await dialog.getByText(/^Commit [0-9a-f]{7} is on main\.$/).waitFor()
    const show = async (path: string) => runTestGit(repository.directory, ['show', `main:${path}`])
    assert.equal(await show('back/a.yaml'), files['back/a.yaml'])
    assert.equal(await show('other/a.yaml'), configMap('other', '2'))
    const subject = await runTestGit(repository.directory, ['log', '-1', '--format=%an: %s', 'main'])
    assert.equal(subject.trim(), 'admin: Take two back')
    const manifest = async () => runTestGit(repository.directory, ['show', `${branch}:back/manifest.yaml`])
    await until(async () => (await manifest()).includes('"1"'))
  })
})
