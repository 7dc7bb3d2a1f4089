import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { gitUser } from '../mesh-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'
import { makeFindings } from './findings-fixture.ts'

describe('the page of findings', { skip: noBrowser }, () => {
  it('has each finding with its place on the forge and its waiver, and follows hydrations', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await makeFindings(mesh, 'found')
    const forge = { write: true, forge: 'forgejo', forgeUrl: 'https://code.example.com', ...gitUser }
    await mesh.fixture.gateway.repositories.createRepository({ repoUrl: repository.url, ...forge })
    await using console = await open(`/findings?repository=${encodeURIComponent(repository.url)}`, {
      user: 'admin',
    })
    const { page } = console
    const rows = page.getByRole('table', { name: 'Findings' }).getByRole('row')
    await rows.filter({ hasText: 'waived by shop until 2999-12-31: a demo' }).waitFor()
    assert.equal(await rows.count(), 4, 'with the headings')
    const sha = await repository.dry.head()
    const path = new URL(repository.url).pathname.replace(/\.git$/, '')
    const link = page.getByRole('link', { name: 'file found/web.yaml:6: show on the forge' })
    assert.equal(
      await link.getAttribute('href'),
      `https://code.example.com${path}/src/commit/${sha}/found/web.yaml#L6`,
    )
    await repository.push({ 'found/web.yaml': configMap('web', '1') })
    await mesh.fixture.hydrate('found')
    await page.getByText('2 findings', { exact: true }).waitFor()
    assert.equal(await rows.filter({ hasText: 'ConfigMap/web' }).count(), 0)
  })

  it('is narrowed by keyboard and by text, and the address has the filter', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await makeFindings(mesh, 'narrowed')
    const address = `/findings?repository=${encodeURIComponent(repository.url)}`
    await using console = await open(address, { user: 'admin' })
    const { page } = console
    await page.getByText('3 findings', { exact: true }).waitFor()
    const waived = page.getByRole('button', { name: 'Waived 1' })
    await waived.focus()
    await page.keyboard.press('Enter')
    await page.getByText('1 finding', { exact: true }).waitFor()
    assert.equal(await waived.getAttribute('aria-pressed'), 'true')
    assert.match(page.url(), /severity=/)
    await page.keyboard.press('Enter')
    await page.getByText('3 findings', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'secrets/github 3' }).click()
    await page.getByLabel('Application, object, message or file').fill('configmap/web')
    await page.getByText('1 finding', { exact: true }).waitFor()
    assert.match(page.url(), /rule=.*text=configmap/)
    await page.reload()
    await page.getByText('1 finding', { exact: true }).waitFor()
    await page.getByLabel('Application, object, message or file').fill('nothing has this')
    await page.getByText('No finding matches').waitFor()
  })
})
