import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { until } from '@wadi/testing/until.ts'
import type { Page } from 'playwright-core'
import { passwordOf } from '../access/users-fixture.ts'
import { applicationObject, configMap } from '../application-fixture.ts'
import { connectForge } from '../pull-request-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

const many = 1_000

/** Many Applications of one directory, which nobody waits for, once for all tests. */
const listed = (async () => {
  if (noBrowser) return undefined
  const { mesh } = await sharedConsole()
  const repository = await mesh.fixture.createRepository('many', { 'web/a.yaml': configMap('web', '1') })
  const applications = Array.from({ length: many }, (_, index) =>
    applicationObject({
      name: `many-${String(index).padStart(4, '0')}`,
      repoURL: repository.url,
      path: 'web',
      branch: `environments/${index % 2 === 0 ? 'even' : 'odd'}`,
    }),
  )
  await mesh.admin.applications.applyApplications({ applications })
  return repository
})()

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

describe('the list of Applications', { skip: noBrowser }, () => {
  it('tells who is not signed in what is wrong, and shows the page that was asked for afterwards', async () => {
    const { open } = await sharedConsole()
    await using console = await open('/applications?text=nothing-like-it')
    const { page } = console
    await page.getByLabel('Account').fill('ann')
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    assert.match((await page.getByRole('alert').textContent()) ?? '', /Invalid username or password/i)
    await console.signIn('ann')
    await page.getByRole('heading', { name: 'Applications', exact: true }).waitFor()
    assert.equal(new URL(page.url()).search, '?text=nothing-like-it')
    // She may create in one project.
    await page.getByRole('link', { name: 'New Application' }).waitFor()
    // A menu that is opened by keyboard has the focus on its first item.
    await page.getByRole('button', { name: 'ann' }).press('Enter')
    await page.locator('[role=menuitem]:focus').getByText('Sign out').waitFor()
    await page.keyboard.press('Enter')
    await page.getByLabel('Account').waitFor()
  })

  it('draws the rows in sight of all that there are, and reads the others while scrolling', async () => {
    await listed
    const { open } = await sharedConsole()
    await using console = await open('/applications?text=many-', { user: 'admin' })
    const { page } = console
    await row(page, 'many-0000').waitFor()
    await page.getByText('1,000 Applications').waitFor()
    assert.ok((await page.getByRole('row').count()) < 60)
    await page.keyboard.press('End')
    await row(page, 'many-0999').waitFor()
    assert.ok((await page.getByRole('row').count()) < 60)
  })

  it('is narrowed by what the address says, and the address says what was chosen', async () => {
    await listed
    const { open } = await sharedConsole()
    await using console = await open('/applications?branch=%5B"environments%2Fodd"%5D', { user: 'admin' })
    const { page } = console
    await page.getByText('500 Applications').waitFor()
    await page.getByRole('textbox', { name: 'Name, repository or path' }).fill('many-0011')
    await page.getByText('1 Application').waitFor()
    await page.waitForURL(/text=many-0011/)
    assert.deepEqual(await page.getByRole('row').locator('a').allTextContents(), ['many-0011'])
    await page.getByRole('textbox', { name: 'Name, repository or path' }).fill('many-0012')
    await page.getByRole('heading', { name: 'No Application matches' }).waitFor()
    await page.getByRole('link', { name: 'Show all' }).click()
    await row(page, 'many-0000').waitFor()
  })

  it('follows the server, also after the connection was lost', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('live', { 'live/a.yaml': configMap('live', '1') })
    await using console = await open('/applications?text=live-', { user: 'admin' })
    const { page } = console
    await page.getByText('Live', { exact: true }).waitFor()
    const application = (name: string) => ({
      name,
      path: 'live',
      repoURL: repository.url,
      branch: 'environments/live',
    })
    await mesh.fixture.apply(application('live-one'))
    await row(page, 'live-one').getByText('Hydrated', { exact: true }).waitFor()
    console.cut()
    await page.getByText('Reconnecting').waitFor()
    await mesh.fixture.apply(application('live-two'))
    console.restore()
    // As a browser whose network is back says, so that no pause is waited for.
    await page.evaluate("dispatchEvent(new Event('online'))")
    await row(page, 'live-two').getByText('Hydrated', { exact: true }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
  })

  it('says what renders each Application, and is narrowed and grouped by it', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('rendered', {
      'plain/a.yaml': configMap('plain', '1'),
      'built/a.yaml': configMap('built', '1'),
      'built/kustomization.yaml': 'resources: [a.yaml]\n',
    })
    for (const path of ['plain', 'built'])
      await mesh.fixture.apply({
        name: `rendered-${path}`,
        path,
        repoURL: repository.url,
        branch: 'environments/rendered',
      })
    await using console = await open('/applications?text=rendered-&group=renderer', { user: 'admin' })
    const { page } = console
    await row(page, 'rendered-plain').getByText('directory', { exact: true }).waitFor()
    const tool =
      (await row(page, 'rendered-built')
        .getByText(/^kustomize v/)
        .textContent()) ?? ''
    await page.getByRole('button', { name: /^directory/ }).click()
    await page.waitForURL(/renderer=%5B%22directory%22%5D/)
    await row(page, 'rendered-built').waitFor({ state: 'hidden' })
    await page.getByText('1 Application', { exact: true }).waitFor()
    assert.deepEqual(await page.getByRole('row').locator('a').allTextContents(), ['rendered-plain'])
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    // The choices are those of when the page was opened.
    await page.reload()
    await page.getByRole('button', { name: 'More filters', exact: true }).click()
    await page.locator('input[aria-label="Tool version"]').click()
    await page.getByRole('option', { name: tool, exact: true }).click()
    await row(page, 'rendered-built').waitFor()
    await page.waitForURL(/tool=/)
    assert.ok(!(await page.getByRole('row').locator('a').allTextContents()).includes('rendered-plain'))
  })
})

describe('a signed commit', { skip: noBrowser ?? noSigningPrograms }, () => {
  it('is shown with its key, its attestation and when that was verified', async () => {
    const { mesh, open } = await sharedConsole()
    await mesh.fixture.hydratedOnce('proved')
    await using console = await open('/applications/argocd/proved', { user: 'admin' })
    const proof = console.page.getByRole('region', { name: 'Proof of the hydrated commit' })
    await proof.getByText(/^Signed by: SHA256:[A-Za-z0-9+/]{43}$/).waitFor()
    for (const text of ['Attested: yes', 'Gates of this commit: not attested'])
      await proof.getByText(text).waitFor()
    await proof.getByText(/^Verified: .*ago$/).waitFor()
  })
})

describe('a commit of somebody else on a hydrated branch', { skip: noBrowser }, () => {
  it('is shown as such, with who made it, what it broke and the way back', async () => {
    const { mesh, open } = await sharedConsole()
    const { repository, branch } = await mesh.fixture.hydratedOnce('foreign')
    await repository.pushForeign(branch, { 'foreign/manifest.yaml': 'a: [\n' })
    await using console = await open('/applications/argocd/foreign?tab=changes', { user: 'admin' })
    const { page } = console
    const alert = page.getByRole('alert').filter({ hasText: 'Foreigner made this commit, not Wadi' })
    await alert.getByText(/no list of manifests any more: .*foreign\/manifest\.yaml/).waitFor()
    await page.getByRole('button', { name: 'More ways to hydrate' }).press('Enter')
    await page.getByRole('menuitem', { name: /^Hydrate hard/ }).press('Enter')
    await page.getByText('ConfigMap foreign: created').waitFor()
    await alert.waitFor({ state: 'hidden' })
  })
})

describe('a staging branch', { skip: noBrowser }, () => {
  it('says how its pull request stands, in the list, on its page and on that of its Application', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('acme/staged', {
      'staged/a.yaml': configMap('staged', '1'),
    })
    await using forge = await connectForge(mesh, repository)
    await mesh.fixture.apply({
      name: 'staged',
      repoURL: repository.url,
      branch: 'environments/staged',
      hydrateTo: 'environments/staged-next',
      annotations: { 'wadi.dev/pull-requests': 'open' },
    })
    await mesh.fixture.waitFor('staged', ({ status: { pullRequest } }) => pullRequest?.state === 'open')
    await using console = await open('/branches?text=staged', { user: 'admin' })
    const { page } = console
    const link = page.getByRole('link', { name: 'open', exact: true })
    const [pull] = forge.forge.state.pulls
    assert.match((await link.getAttribute('href')) ?? '', new RegExp(`/acme/staged/pull/${pull?.number}$`))
    await page.getByRole('link', { name: 'environments/staged-next', exact: true }).click()
    await page.getByText('Deployed from environments/staged').waitFor()
    await link.waitFor()
    await page.getByRole('link', { name: 'staged', exact: true }).click()
    await page.getByRole('link', { name: 'pull request: open' }).waitFor()
    await page.getByRole('link', { name: 'environments/staged-next', exact: true }).click()
    await page.getByRole('heading', { name: 'environments/staged-next' }).waitFor()
  })
})

describe('a new Application', { skip: noBrowser }, () => {
  it('is hydrated from a form, which a session that ends meanwhile leaves as it is', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('web-form', {
      'shop/a.yaml': configMap('shop', '1'),
    })
    await using console = await open('/applications/new', { user: 'ann' })
    const { page } = console
    await page.getByRole('button', { name: 'Create and hydrate' }).click()
    await page.getByText('Repository is required').waitFor()
    const fields = {
      Repository: repository.url,
      Path: 'shop',
      'Target branch': 'environments/form',
      Name: 'web-form',
      Project: 'web',
    }
    for (const [label, value] of Object.entries(fields))
      await page.getByRole('textbox', { name: label, exact: true }).fill(value)
    // A new password ends all sessions of an account.
    await mesh.admin.accounts.updatePassword({ name: 'ann', newPassword: passwordOf('ann') })
    await page.getByRole('button', { name: 'Create and hydrate' }).click()
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    await page.getByLabel('Password', { exact: true }).fill(passwordOf('ann'))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Create and hydrate' }).click()
    await page.getByRole('heading', { name: 'web-form' }).waitFor()
    await repository.waitForHead('environments/form', (head) => head !== '')
  })

  it('is what an empty list leads to', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('api-first', {
      'first/a.yaml': configMap('first', '1'),
    })
    await using console = await open('/applications', { user: 'bob' })
    const { page } = console
    await page.getByRole('heading', { name: 'No Applications yet' }).waitFor()
    await page.getByRole('link', { name: '1. Add a repository' }).click()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: '2. Hydrate the first Application' }).click()
    const fields = {
      Repository: repository.url,
      Path: 'first',
      'Target branch': 'environments/first',
      Name: 'api-first',
      Project: 'api',
    }
    for (const [label, value] of Object.entries(fields))
      await page.getByRole('textbox', { name: label, exact: true }).fill(value)
    await page.getByRole('button', { name: 'Create and hydrate' }).click()
    await page.getByRole('heading', { level: 1, name: 'api-first' }).waitFor()
    await page.getByText('Hydrated', { exact: true }).first().waitFor()
    await mesh.admin.applications.deleteApplication({ name: 'api-first' })
  })

  it('is offered to nobody whom the policy denies it', async () => {
    const { mesh, open } = await sharedConsole()
    await mesh.applyPolicy('p, bob, applications, create, api/*, deny')
    await using console = await open('/applications', { user: 'bob' })
    const answered =
      "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/ListPermittedProjects'))"
    // The page's policy keeps scripts from evaluating text, also those that wait within the page.
    await until(() => console.page.evaluate<boolean>(answered))
    assert.equal(await console.page.getByRole('link', { name: 'New Application' }).count(), 0)
    await mesh.applyPolicy()
  })

  it('that the project does not permit is refused in words', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('api-form', {
      'shop/a.yaml': configMap('shop', '1'),
    })
    await using console = await open('/applications/new', { user: 'ann' })
    const { page } = console
    const fields = {
      Repository: repository.url,
      Path: 'shop',
      'Target branch': 'environments/form',
      Name: 'forbidden',
      Project: 'api',
    }
    for (const [label, value] of Object.entries(fields))
      await page.getByRole('textbox', { name: label, exact: true }).fill(value)
    await page.getByRole('button', { name: 'Create and hydrate' }).click()
    assert.match(
      (await page.getByRole('alert').textContent()) ?? '',
      /You may not do this: .*applications, create, api\/forbidden/,
    )
  })
})
