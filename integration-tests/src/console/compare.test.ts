import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

describe('the comparison of hydrated commits', { skip: noBrowser }, () => {
  it('is of two commits of one Application, or of two Applications, and the address has it', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('compared', {
      'dev/a.yaml': configMap('web', '1'),
      'prod/a.yaml': configMap('web', '7'),
    })
    const application = (name: string) => ({
      name: `compared-${name}`,
      path: name,
      repoURL: repository.url,
      branch: `environments/compared-${name}`,
    })
    const dev = application('dev')
    await mesh.fixture.applyAndWait(await repository.dry.head(), dev, application('prod'))
    const first = await repository.head(dev.branch)
    await repository.push({ 'dev/a.yaml': configMap('web', '2') })
    await mesh.fixture.hydrate(dev.name)
    await repository.waitForHead(dev.branch, (head) => head !== first)
    await using console = await open(`/applications/argocd/${dev.name}?tab=history`, { user: 'admin' })
    const { page } = console
    await page.getByRole('link', { name: `Compare ${first.slice(0, 7)} with the newest` }).click()
    await page.getByText('ConfigMap web: changed').waitFor()
    await page.getByRole('group', { name: 'ConfigMap web before' }).getByText('"1"').waitFor()
    await page.getByRole('group', { name: 'ConfigMap web after' }).getByText('"2"').waitFor()
    const other = page.getByRole('combobox', { name: 'Application' })
    await other.click()
    await page.getByRole('option', { name: 'argocd/compared-prod' }).click()
    await page.getByRole('group', { name: 'ConfigMap web after' }).getByText('"7"').waitFor()
    assert.match(decodeURIComponent(page.url()), /from=[0-9a-f]{40}.*other=argocd\/compared-prod/)
    await page.reload()
    await page.getByRole('group', { name: 'ConfigMap web before' }).getByText('"1"').waitFor()
    await page.getByRole('group', { name: 'ConfigMap web after' }).getByText('"7"').waitFor()
  })
})
