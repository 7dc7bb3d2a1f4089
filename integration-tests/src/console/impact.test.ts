import { describe, it } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

describe('the page of a revision', { skip: noBrowser }, () => {
  it('says which branches and Applications a pasted revision would change, and how', async () => {
    const { mesh, open } = await sharedConsole()
    const { repository } = await mesh.fixture.hydratedOnce('touched')
    const revision = await repository.dry.commitFiles({ 'touched/a.yaml': configMap('touched', '2') }, 'Two')
    await repository.pointBranch('proposal', revision)
    await using console = await open('/impact', { user: 'admin' })
    const { page } = console
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('Enter a branch, a tag or a commit').waitFor()
    await page.getByRole('combobox', { name: 'Dry repository' }).fill(repository.url)
    await page.getByRole('textbox', { name: 'Revision' }).fill(revision)
    await page.getByRole('textbox', { name: 'Revision' }).press('Enter')
    await page.getByRole('alert').filter({ hasText: '1 branch would change' }).waitFor()
    await page.getByText(/Applications: 1 changed, 0 added, 0 removed, 0 failed/).waitFor()
    await page.getByRole('button', { name: /^touched/ }).press('Enter')
    await page.getByText('ConfigMap touched: changed').waitFor()
    await page.waitForURL(/revision=/)
  })
})
