import { describe, it } from 'node:test'
import assert from 'node:assert/strict'
import { configMap } from '../application-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

describe('the console without a network', { skip: noBrowser }, () => {
  it('says so where something is asked for, and goes on when the network is back', async () => {
    const { mesh, open } = await sharedConsole()
    const files = {
      'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
      'chart/values.yaml': 'replicas: 2\n',
      'chart/templates/a.yaml': configMap('chart', '1'),
    }
    const repository = await mesh.fixture.createRepository('offline', files)
    await mesh.fixture.applyAndWait(await repository.dry.head(), {
      name: 'offline',
      path: 'chart',
      repoURL: repository.url,
      branch: 'environments/offline',
    })
    await using console = await open('/applications/argocd/offline?tab=parameters', { user: 'admin' })
    const { page } = console
    await page.getByRole('textbox', { name: 'replicas', exact: true }).fill('3')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save parameters' })
    await dialog.getByText('The server cannot be reached. Check the network and try again.').waitFor()
    assert.ok(await dialog.getByRole('button', { name: 'Save', exact: true }).isDisabled())
    await page.context().setOffline(false)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByText(/^Writes chart/).waitFor()
  })
})
