import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runWadi } from '@wadi/cli/testing/run-wadi-fixture.ts'
import { supplyChainFiles } from '@wadi/testing/supply-chain-files.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { passwordOf } from '../access/users-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

const chart = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/values.yaml': 'replicas: 2\nenabled: true\n',
  'chart/templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: chart}\ndata: {replicas: "{{ .Values.replicas }}", enabled: "{{ .Values.enabled }}"}\n',
}

describe('the form of parameters', { skip: noBrowser }, () => {
  it('commits a change to the dry branch, which is hydrated', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('form', chart)
    const branch = 'environments/parameters'
    const application = { name: 'parameters', path: 'chart', repoURL: repository.url, branch }
    await mesh.fixture.applyAndWait(await repository.dry.head(), application)
    const hydrated = await repository.head(branch)
    await using console = await open('/applications/argocd/parameters?tab=parameters', { user: 'admin' })
    const { page } = console
    const replicas = page.getByRole('textbox', { name: 'replicas', exact: true })
    await page.getByText('Default of chart/values.yaml:1').waitFor()
    await replicas.fill('many')
    await page.getByText('many is not a number').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Review and save' }).isDisabled())
    await replicas.fill('7')
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save parameters' })
    await dialog
      .getByText('chart/.argocd-source-parameters.yaml')
      .or(dialog.getByText('.argocd-source'))
      .first()
      .waitFor()
    await dialog.getByText('ConfigMap chart: changed').waitFor()
    await dialog.getByRole('textbox', { name: 'Message of the commit' }).fill('Run seven pods')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByText(/^Commit [0-9a-f]{7} is on main\.$/).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText(/^Set in chart\/\.argocd-source/).waitFor()
    await repository.waitForHead(branch, (head) => head !== hydrated)
    const manifest = await runTestGit(repository.directory, ['show', `${branch}:parameters/manifest.yaml`])
    assert.match(manifest, /^ {2}replicas: "7"$/m)
    const subject = await runTestGit(repository.directory, ['log', '-1', '--format=%an: %s', 'main'])
    assert.equal(subject.trim(), 'admin: Run seven pods')
    // The next change goes to a branch for a pull request, and leaves the dry branch as it is.
    const dry = await repository.head('main')
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/PreviewParameters*', (route) => answered.then(() => route.fallback()))
    await page.getByRole('button', { name: 'Reset replicas' }).click()
    const effect = page.getByRole('region', { name: 'What the changes do' })
    await effect.getByLabel('Asking the server').waitFor()
    assert.equal(await effect.getByText('Nothing is written yet').count(), 0)
    answer()
    await page.getByRole('button', { name: 'Review and save' }).click()
    await dialog.getByText('ConfigMap chart: changed').waitFor()
    await dialog.getByRole('textbox', { name: 'New branch' }).fill('change/replicas')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByText(/^Commit [0-9a-f]{7} is on change\/replicas\.$/).waitFor()
    assert.equal(await repository.head('main'), dry)
    const proposed = await runTestGit(repository.directory, ['log', '-2', '--format=%H', 'change/replicas'])
    assert.equal(proposed.trim().split('\n')[1], dry)
  })

  it('saves nothing but what was reviewed, and shows what somebody else has pushed since', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('faster', chart)
    const branch = 'environments/faster'
    await mesh.fixture.applyAndWait(await repository.dry.head(), {
      name: 'faster',
      path: 'chart',
      repoURL: repository.url,
      branch,
    })
    await using console = await open('/applications/argocd/faster?tab=parameters', { user: 'admin' })
    const { page } = console
    await page.getByRole('textbox', { name: 'replicas', exact: true }).fill('3')
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save parameters' })
    await dialog.getByText('ConfigMap chart: changed').waitFor()
    await dialog.getByRole('textbox', { name: 'Message of the commit' }).fill('Three')
    const theirs = 'helm:\n  parameters:\n    - name: replicas\n      value: "9"\n'
    const pushed = await repository.push({ 'chart/.argocd-source.yaml': theirs }, 'Nine')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByText(/^Not saved: the files changed meanwhile/).waitFor()
    await dialog.getByText('value: "9"').first().waitFor()
    assert.equal(await repository.head('main'), pushed)
    assert.equal(await dialog.getByRole('textbox', { name: 'Message of the commit' }).inputValue(), 'Three')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByText(/^Commit [0-9a-f]{7} is on main\.$/).waitFor()
    const log = await runTestGit(repository.directory, ['log', '--format=%s', 'main'])
    assert.deepEqual(log.trim().split('\n').slice(0, 2), ['Three', 'Nine'])
  })

  it('keeps what is typed when the session ends and the page is read again', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('kept-form', { 'kept/greeting.txt': 'hello' })
    const application = { name: 'kept', repoURL: repository.url, branch: 'environments/kept' }
    await mesh.fixture.applyAndWait(await repository.dry.head(), application)
    await using console = await open('/applications/argocd/kept?tab=parameters', { user: 'admin' })
    const { page } = console
    const size = page.getByRole('textbox', { name: 'Size', exact: true })
    await size.fill('8')
    await page.getByText('Live', { exact: true }).waitFor()
    await page.context().clearCookies()
    await mesh.admin.applications.hydrateApplication({ name: 'kept' })
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill(passwordOf('admin'))
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.equal(await size.inputValue(), '8')
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page
      .getByRole('dialog', { name: 'Save parameters' })
      .getByText('Writes kept/.argocd-source.yaml')
      .waitFor()
  })

  it('shows what a plugin says against a value before anything is saved', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('greeting', { 'greeting/greeting.txt': 'hello' })
    const application = { name: 'greeting', repoURL: repository.url, branch: 'environments/greeting' }
    await mesh.fixture.applyAndWait(await repository.dry.head(), application)
    await using console = await open('/applications/argocd/greeting?tab=parameters', { user: 'admin' })
    const { page } = console
    await page.getByRole('textbox', { name: 'Size', exact: true }).fill('13')
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save parameters' })
    await dialog.getByText('The source cannot be rendered with these values').waitFor()
    await dialog.getByText(/there is no size 13$/).waitFor()
    assert.deepEqual(await repository.commits('main'), [await repository.dry.head()])
  })

  it('is of one of several dry sources, which is chosen', async () => {
    const { mesh, open } = await sharedConsole()
    const named = Object.entries({ one: '3', two: '4' }).flatMap(([path, size]) => [
      [`${path}/greeting.txt`, 'hello'],
      [`${path}/.argocd-source.yaml`, `plugin: {parameters: [{name: size, string: "${size}"}]}\n`],
    ])
    const files = Object.fromEntries(named) as Record<string, string>
    const { url: repoURL } = await mesh.fixture.createRepository('two-greetings', files)
    const sources = ['one', 'two'].map((path) => ({ repoURL, targetRevision: 'main', path }))
    await mesh.fixture.apply({ name: 'two-greetings', repoURL, sources, branch: 'environments/two' })
    await using console = await open('/applications/argocd/two-greetings?tab=parameters', { user: 'admin' })
    const { page } = console
    await page.getByRole('combobox', { name: 'Dry source' }).click()
    await page.getByRole('option', { name: '2: two of' }).click()
    const origins = page.getByRole('region', { name: 'Where the values of this source come from' })
    await origins.getByText('two/.argocd-source.yaml', { exact: false }).first().waitFor()
    assert.equal(await origins.getByText('one/.argocd-source.yaml', { exact: false }).count(), 0)
    await page.getByRole('textbox', { name: 'Size', exact: true }).fill('5')
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save parameters' })
    await dialog.getByText('Writes two/.argocd-source.yaml').waitFor()
  })

  it('are values of a package, which stand in its own files', async () => {
    const { mesh, open } = await sharedConsole()
    const config = '# Ours.\npackage: {deploy: {set: {level: debug}}}\n'
    const repository = await mesh.fixture.createRepository('package-form', {
      ...supplyChainFiles,
      'packages/web/zarf-config.yaml': config,
    })
    const branch = 'environments/package-form'
    const application = { name: 'package-form', repoURL: repository.url, path: 'packages/web', branch }
    await mesh.fixture.applyAndWait(await repository.dry.head(), application)
    const hydrated = await repository.head(branch)
    await using console = await open('/applications/argocd/package-form?tab=parameters', { user: 'admin' })
    const { page } = console
    const values = page.getByRole('group', { name: 'Values', exact: true })
    await values.getByText('Default of packages/web/values.yaml:5').waitFor()
    const constants = page.getByRole('group', { name: 'Constants', exact: true })
    await constants.getByText(/^It cannot be set here: it is a constant of the package/).waitFor()
    assert.equal(await constants.getByRole('textbox').count(), 0)
    await page.getByRole('textbox', { name: 'app.logLevel', exact: true }).fill('trace')
    await page.getByRole('textbox', { name: 'LEVEL', exact: true }).fill('info')
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save parameters' })
    await dialog.getByText('Writes packages/web/zarf-config.yaml').waitFor()
    await dialog.getByText('ConfigMap web config: changed').waitFor()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByText(/^Commit [0-9a-f]{7} is on main\.$/).waitFor()
    await repository.waitForHead(branch, (head) => head !== hydrated)
    const manifest = await runTestGit(repository.directory, ['show', `${branch}:package-form/manifest.yaml`])
    assert.match(manifest, /^ {2}level: trace$/m)
    const written = await runTestGit(repository.directory, ['show', 'main:packages/web/zarf-config.yaml'])
    assert.match(written, /^# Ours\./)
    const { stdout } = await runWadi(['app', 'params', 'package-form', '--set-only', '-o', 'wide'], {
      environment: { WADI_SERVER: mesh.address, WADI_AUTH_TOKEN: await mesh.signIn('admin') },
    })
    assert.match(stdout, /^\.app\.logLevel +string +warn +trace +packages\/web\/zarf-config\.yaml:2/m)
  })

  it('are those of a workload, which its supply chain lets it set', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('workload-form', supplyChainFiles)
    const branch = 'environments/workload-form'
    const application = { name: 'workload-form', repoURL: repository.url, path: 'apps/shop/prod', branch }
    await mesh.fixture.applyAndWait(await repository.dry.head(), application)
    const hydrated = await repository.head(branch)
    await using console = await open('/applications/argocd/workload-form?tab=parameters', { user: 'admin' })
    const { page } = console
    await page
      .getByText('It cannot be set here: supply chain "web" fixes it (platform/web.yaml:8).')
      .waitFor()
    await page
      .getByText(/Set in apps\/shop\/prod\/workload\.yaml:6; the default is 2 \(platform\/web\.yaml:7\)/)
      .waitFor()
    await page.getByRole('textbox', { name: 'replicas', exact: true }).fill('7')
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save parameters' })
    await dialog.getByText('Writes apps/shop/prod/workload.yaml').waitFor()
    await dialog.getByText('Deployment web shop: changed').waitFor()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByText(/^Commit [0-9a-f]{7} is on main\.$/).waitFor()
    await repository.waitForHead(branch, (head) => head !== hydrated)
    const after = await repository.head(branch)
    const manifest = await runTestGit(repository.directory, ['show', `${branch}:workload-form/manifest.yaml`])
    assert.match(manifest, /^ {2}replicas: 7$/m)
    const environment = { WADI_SERVER: mesh.address, WADI_AUTH_TOKEN: await mesh.signIn('admin') }
    await runWadi(['app', 'unset', 'workload-form', '-p', 'shop:replicas'], { environment })
    await repository.waitForHead(branch, (head) => head !== after)
    const fallback = await runTestGit(repository.directory, ['show', `${branch}:workload-form/manifest.yaml`])
    assert.match(fallback, /^ {2}replicas: 2$/m)
  })
})
