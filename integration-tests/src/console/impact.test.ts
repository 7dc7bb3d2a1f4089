import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import { applicationObject, configMap } from '../application-fixture.ts'
import { propose } from '../review-fixture.ts'
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

  it('shows a change that many Applications have once, and what else becomes of an Application', async () => {
    const { mesh, open } = await sharedConsole()
    const { fixture } = mesh
    const names = ['equal-a', 'equal-b', 'equal-c']
    const files = (value: string) =>
      Object.fromEntries(names.map((name) => [`${name}/a.yaml`, configMap('equal', value)]))
    const repository = await fixture.createRepository('equal', files('1'))
    const branch = 'environments/equal'
    const applications = names.map((name) => ({ name, repoURL: repository.url, branch }))
    const made = (name: string) =>
      JSON.stringify(
        applicationObject({ name, path: 'equal-a', syncPath: 'equal-a', repoURL: repository.url, branch }),
      )
    const head = await repository.push({ 'equal-apps/a.yaml': made('equal-a') })
    const parent = { name: 'equal-apps', repoURL: repository.url, branch, namespace: 'argocd' }
    await fixture.applyAndWait(head, ...applications, parent)
    const proposed = { ...files('2'), 'equal-apps/a.yaml': made('equal-first') }
    const revision = await propose(repository, 'refs/heads/proposal', proposed)
    const address = `/impact?${new URLSearchParams({ repository: repository.url, revision }).toString()}`
    await using console = await open(address, { user: 'admin' })
    const { page } = console
    await page.getByText(/Applications: 4 changed, 0 added, 0 removed, 0 failed, 0 unchanged/).waitFor()
    await page.getByText('renamed from argocd/equal-a', { exact: true }).waitFor()
    for (const name of [/^equal-b/, /^equal-c/]) await page.getByRole('button', { name }).press('Enter')
    await page
      .getByText(`The same in 2 others: ${branch} argocd/equal-c, ${branch} argocd/equal-first`)
      .waitFor()
    const third = page.getByRole('region', { name: /^equal-c/ })
    await third.getByText('The same as ConfigMap equal in argocd/equal-b').waitFor()
    const valuesIn = (name: RegExp) => page.getByRole('region', { name }).getByText(/value: "2"/)
    const [shown, hidden] = [valuesIn(/^equal-b/), valuesIn(/^equal-c/)]
    await shown.first().waitFor()
    assert.equal(await hidden.count(), 0)
    await third.getByRole('button', { name: 'Show it here' }).click()
    await until(async () => (await hidden.count()) === (await shown.count()))
  })

  it('compares for the Applications of another branch than that of HEAD when it is given as the target', async () => {
    const { mesh, open } = await sharedConsole()
    const files = (value: string) => ({ 'released/a.yaml': configMap('released', value) })
    const repository = await mesh.fixture.createRepository('released', files('1'))
    const head = await repository.dry.head()
    await repository.pointBranch('release', head)
    const application = { name: 'released', repoURL: repository.url, branch: 'environments/released' }
    await mesh.fixture.applyAndWait(head, { ...application, revision: 'release' })
    const revision = await propose(repository, 'refs/heads/fix', files('2'))
    const query = new URLSearchParams({ repository: repository.url, revision })
    await using console = await open(`/impact?${query.toString()}`, { user: 'admin' })
    const { page } = console
    await page.getByRole('alert').filter({ hasText: 'follows main; give as target one of release' }).waitFor()
    await page.getByRole('textbox', { name: 'Target branch' }).fill('release')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('1 branch would change').waitFor()
    await page.getByText(`Compared with what the branches hold: ${revision}.`).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('target'), 'release')
  })

  it('says in its closed row that an Application failed also before', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('failing', {
      'failing/kustomization.yaml': 'resources: [missing.yaml]\n',
    })
    await mesh.fixture.applyAndFail({
      name: 'failing',
      repoURL: repository.url,
      branch: 'environments/failing',
    })
    const files = { 'failing/kustomization.yaml': 'resources: [missing.yaml, other.yaml]\n' }
    const revision = await repository.dry.commitFiles(files, 'Still broken')
    await repository.pointBranch('still-broken', revision)
    const query = `repository=${encodeURIComponent(repository.url)}&revision=${revision}`
    await using console = await open(`/impact?${query}`, { user: 'admin' })
    const row = console.page.getByRole('button', { name: /^failing/ })
    await row.getByText('failed, also before').waitFor()
    assert.equal(await row.getAttribute('aria-expanded'), 'false')
  })
})
