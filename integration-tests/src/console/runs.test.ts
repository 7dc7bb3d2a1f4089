import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

describe('runs of the hydrator', { skip: noBrowser }, () => {
  it('are listed as they happen, with their steps and what was rendered and skipped', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('runs', {
      'one/a.yaml': configMap('one', '1'),
      'two/a.yaml': configMap('two', '1'),
    })
    const application = (path: string) => ({
      name: `runs-${path}`,
      path,
      repoURL: repository.url,
      branch: 'environments/runs',
    })
    await mesh.fixture.applyAndWait(await repository.dry.head(), application('one'), application('two'))
    await using console = await open('/applications/argocd/runs-one?tab=runs', { user: 'admin' })
    const { page } = console
    const runs = page.getByRole('table', { name: 'Runs' })
    await runs.getByText('first hydration').waitFor()
    const steps = page.getByRole('list', { name: 'Steps' })
    await steps.getByText('Render and commit').waitFor()
    await page.getByText(/was rendered, and its manifests changed/).waitFor()
    const before = await repository.head('environments/runs')
    await repository.push({ 'two/a.yaml': configMap('two', '2') })
    await mesh.fixture.hydrate('runs-two')
    await repository.waitForHead('environments/runs', (head) => head !== before)
    // Without a reload: the page follows the server.
    await runs.getByText(/new dry commit/).waitFor()
    await page.getByText(/It was skipped: nothing that decides its manifests changed/).waitFor()
    await page
      .getByText(/1 rendered, 1 skipped/)
      .first()
      .waitFor()
    const events = page.getByRole('table', { name: 'Events' })
    await events.getByText(/is hydrated in commit/).waitFor()
    await runs.getByRole('link').last().press('Enter')
    await page.getByText(/was rendered, and its manifests changed/).waitFor()
    assert.match(page.url(), /run=[0-9a-z]+/)
  })

  it('that fail name the directories and their errors', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('runs-failed', { 'bad/a.yaml': 'kind: [' })
    const application = {
      name: 'runs-failed',
      path: 'bad',
      repoURL: repository.url,
      branch: 'environments/bad',
    }
    await mesh.fixture.apply(application)
    await using console = await open('/applications/argocd/runs-failed?tab=runs', { user: 'admin' })
    const { page } = console
    await page.getByRole('table', { name: 'Runs' }).getByText('Failed', { exact: true }).first().waitFor()
    await page
      .getByRole('table', { name: 'Directories' })
      .getByText(/bad\/a\.yaml/)
      .waitFor()
    await page.getByRole('table', { name: 'Events' }).getByText('HydrationFailed').first().waitFor()
  })
})
