import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { create, toBinary } from '@bufbuild/protobuf'
import { ListToolsResponseSchema } from '@wadi/protocol/gen/wadi/tools/v1/tools_pb.ts'
import { helmOfCharts } from '@wadi/gotemplate/engine-versions.ts'
import { renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import type { Page } from 'playwright-core'
import { configMap } from '../application-fixture.ts'
import { versionChart } from '../tools/version-chart-fixture.ts'
import { sharedConsole, visit } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'
import { keptHelm, makeKeptBranch } from './kept-branch-fixture.ts'

const own = helmOfCharts.slice(1)

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Makes a repository with the chart `<name>-chart` and the plain manifests `<name>-plain`, each with an Application of its project. */
async function makeVersioned(name: string, projects = { chart: 'default', plain: 'default' }) {
  const { mesh } = await sharedConsole()
  const [chart, plain] = [`${name}-chart`, `${name}-plain`]
  const repository = await mesh.fixture.createRepository(name, {
    ...versionChart(chart),
    [`${plain}/a.yaml`]: configMap(plain, '1'),
  })
  const common = { repoURL: repository.url, branch: `environments/${name}` }
  await mesh.fixture.applyAndWait(
    await repository.dry.head(),
    { ...common, name: chart, project: projects.chart },
    { ...common, name: plain, project: projects.plain },
  )
  return repository
}

describe('other versions of tools', { skip: noBrowser || renderersMissing || false }, () => {
  it('are tried out on all branches of a repository, and the address has what was tried', async () => {
    const { open } = await sharedConsole()
    const repository = await makeVersioned('tried')
    await using console = await open('/impact', { user: 'admin' })
    const { page } = console
    await page.getByRole('combobox', { name: 'Dry repository' }).fill(repository.url)
    await choose(page, 'Helm version', '4.3.1')
    await page.getByRole('button', { name: 'Compare' }).click()
    const summary = page.getByRole('alert').filter({ hasText: '1 branch would change' })
    await summary.getByText(/Applications: 1 changed, 0 added, 0 removed, 0 failed, 1 unchanged/).waitFor()
    await summary.getByText('tools: {helm: 4.3.1}').waitFor()
    await summary.getByText(/hold: HEAD \([0-9a-f]{7}\) with Helm 4\.3\.1\.$/).waitFor()
    await page.getByRole('button', { name: /^tried-chart/ }).press('Enter')
    await page.getByText('ConfigMap helm: changed').waitFor()
    const { search } = new URL(page.url())
    assert.deepEqual(Object.fromEntries(new URLSearchParams(search)), {
      repository: repository.url,
      helm: '4.3.1',
    })

    await choose(page, 'Helm version', `${own}, the installation’s own`)
    await choose(page, 'Kustomize version', '5.8.3')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('alert').filter({ hasText: 'No branch would change' }).waitFor()
    await page.goBack()
    await page.getByText('1 branch would change').waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Helm version' }).inputValue(), '4.3.1')
    assert.equal(await page.getByRole('combobox', { name: 'Kustomize version' }).inputValue(), '')
  })

  it('are an error that names the installed ones where an address has another', async () => {
    const { open } = await sharedConsole()
    const repository = await makeVersioned('missing-version')
    const address = new URLSearchParams({ repository: repository.url, helm: 'v4.0.0' })
    await using console = await open(`/impact?${address.toString()}`, { user: 'admin' })
    const { page } = console
    const error = page.getByRole('alert').filter({ hasText: 'HEAD with Helm 4.0.0 cannot be compared' })
    await error
      .getByText(`helm "4.0.0" is not installed; choose one of those that are (${own}, 3.22.0, 4.3.1)`)
      .waitFor()
    const field = page.getByRole('combobox', { name: 'Helm version' })
    assert.equal(await field.inputValue(), '4.0.0, not installed')
    await choose(page, 'Helm version', '4.3.1')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('1 branch would change').waitFor()
  })

  it('are tried out for the Applications that a user may see, also when somebody else signs in, and the others are counted', async () => {
    const { open } = await sharedConsole()
    const repository = await makeVersioned('shared-version', { chart: 'web', plain: 'api' })
    const address = `/impact?${new URLSearchParams({ repository: repository.url, helm: '4.3.1' }).toString()}`
    await using ann = await open(address, { user: 'ann' })
    const { page } = ann
    await page.getByText(/Applications: 1 changed, .* Not compared, as you may not see them: 1\./).waitFor()
    // As another tab says in which she signs out.
    await page.evaluate("new BroadcastChannel('wadi-session').postMessage('signed out')")
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await ann.signIn('bob')
    await page.getByText('No branch would change').waitFor()
    await page
      .getByText(/Applications: 0 changed, .* 1 unchanged. Not compared, as you may not see them: 1\./)
      .waitFor()
    assert.equal(await page.getByText('shared-version-chart').count(), 0)
  })

  it('are tried out again after a comparison was cancelled, and when a session that ended goes on', async () => {
    const { open } = await sharedConsole()
    const repository = await makeVersioned('cancelled')
    await using console = await open('/impact', { user: 'admin' })
    const { page } = console
    await page.getByRole('combobox', { name: 'Dry repository' }).fill(repository.url)
    await choose(page, 'Helm version', '4.3.1')
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    // The server's answer never comes.
    await page.route('**/CompareRevisions', () => held())
    await page.getByRole('button', { name: 'Compare' }).click()
    await isHeld
    await page.getByRole('status').getByText('Resolving the revision').waitFor()
    const cancelled = page.waitForEvent('requestfailed')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await cancelled
    await page.getByText('The comparison of HEAD with Helm 4.3.1 was cancelled').waitFor()
    await page.unroute('**/CompareRevisions')
    await page.context().clearCookies()
    // Something else of the page may meet the end of the session first, and then the question to sign in lies above the button.
    await page.getByRole('button', { name: 'Compare again' }).dispatchEvent('click')
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await console.signIn('admin')
    await page.getByText('1 branch would change').waitFor()
  })

  it('are asked for where the installation has none', async () => {
    const { open } = await sharedConsole()
    const tools = [
      { name: 'helm', version: own, isDefault: true },
      { name: 'helm', version: '4.3.1', error: 'it does not start' },
      { name: 'kustomize', version: '5.7.1', isDefault: true },
      { name: 'kustomize', version: '5.8.3' },
    ]
    const body = Buffer.from(toBinary(ListToolsResponseSchema, create(ListToolsResponseSchema, { tools })))
    await using console = await open('/applications', { user: 'ann' })
    const { page } = console
    await page.route('**/ListTools', (route) => route.fulfill({ contentType: 'application/proto', body }))
    await visit(page, '/impact')
    const helm = page.getByRole('combobox', { name: 'Helm version' })
    await page.getByText('No other version is installed; see “wadi tools add”.').waitFor()
    assert.equal(await page.getByText('No other version is installed').count(), 1)
    await helm.click()
    assert.deepEqual(await page.getByRole('option').allTextContents(), [`${own}, the installation’s own`])
    await page.unroute('**/ListTools')
  })

  it('that a branch keeps are named on its page and on that of what they made, with the way to a preview', async () => {
    const { mesh, open } = await sharedConsole()
    const page = await makeKeptBranch(mesh.fixture, 'kept')
    for (const path of [page, '/applications/argocd/kept-chart']) {
      await using console = await open(path, { user: 'admin' })
      const note = console.page.getByRole('note', { name: 'Versions of tools' })
      await note.getByText(`Made with Helm ${keptHelm}. The installation’s own version is ${own}.`).waitFor()
      await note.getByRole('link', { name: `See what Helm ${own} would change` }).click()
      await console.page.getByText('1 branch would change').waitFor()
      await console.page.getByText(/^Applications: 1 changed, .* 1 unchanged/).waitFor()
      const field = console.page.getByRole('combobox', { name: 'Helm version' })
      assert.equal(await field.inputValue(), `${own}, the installation’s own`)
    }
    await using plain = await open('/applications/argocd/kept-plain', { user: 'admin' })
    await plain.page.getByText('Hydrated to').waitFor()
    assert.equal(await plain.page.getByRole('note', { name: 'Versions of tools' }).count(), 0)
  })
})
