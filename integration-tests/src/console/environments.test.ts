import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import type { Page } from 'playwright-core'
import { configMap } from '../application-fixture.ts'
import { connectForge } from '../pull-request-fixture.ts'
import { fewLooks } from '../usable-page-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'
import { assertUsable } from './usable-console-fixture.ts'

/** An element of the page. */
interface ShownStop {
  readonly textContent: string
  getAttribute(name: string): string | null
}

const [dev, staging, prod] = ['env/way-dev', 'env/way-prod-next', 'env/way-prod']

/** A repository with a branch that is hydrated to, and another one that a staging branch is merged to by a pull request. */
async function makeStages() {
  const { mesh } = await sharedConsole()
  const repository = await mesh.fixture.createRepository('acme/way', {
    'way-dev/a.yaml': configMap('way-dev', '1'),
    'way-prod/a.yaml': configMap('way-prod', '1'),
  })
  const forge = await connectForge(mesh, repository)
  const common = { repoURL: repository.url }
  await mesh.fixture.applyAndWait(
    await repository.dry.head(),
    { ...common, name: 'way-dev', branch: dev },
    {
      ...common,
      name: 'way-prod',
      branch: prod,
      hydrateTo: staging,
      annotations: { 'wadi.dev/pull-requests': 'open' },
    },
  )
  await mesh.fixture.waitFor('way-prod', ({ status: { pullRequest } }) => pullRequest?.state === 'open')
  return { mesh, repository, forge }
}

const stage = (page: Page, branch: string) =>
  page
    .getByRole('list', { name: 'Stages of acme/way' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: branch, exact: true }) })

describe('the environments of a dry repository', { skip: noBrowser }, () => {
  it('show live which dry commit is at which stage, what waits and why, and the way of a commit', async () => {
    const { mesh, repository, forge } = await makeStages()
    await using _ = forge
    const { open } = await sharedConsole()
    const first = (await repository.dry.head()).slice(0, 7)
    const address = `/environments?${new URLSearchParams({ repository: repository.url }).toString()}`
    await using console = await open(address, { user: 'admin' })
    const { page } = console
    const [waiting] = forge.forge.state.pulls
    await stage(page, prod).getByText('Pull request').waitFor()
    const link = stage(page, prod).getByRole('link', { name: 'open', exact: true })
    assert.match((await link.getAttribute('href')) ?? '', new RegExp(`/acme/way/pull/${waiting?.number}$`))
    await stage(page, dev).getByText('up to date').waitFor()
    await stage(page, staging).getByText(first).waitFor()

    // The next dry commit reaches one branch and fails for the other.
    await repository.push(
      { 'way-dev/a.yaml': configMap('way-dev', '2'), 'way-prod/a.yaml': 'kind: [\n' },
      'Raise the size',
    )
    const second = await repository.dry.head()
    await mesh.fixture.hydrateTo(second, 'way-dev')
    await mesh.fixture.hydrate('way-prod')
    await stage(page, staging).getByText('1 behind').waitFor()
    await stage(page, staging)
      .getByText(/way-prod\/a\.yaml/)
      .waitFor()
    await stage(page, dev).getByText(second.slice(0, 7)).waitFor()

    // By keyboard from the older commit to the newer one, and along its way.
    const commits = page.getByRole('list', { name: 'Dry commits of acme/way' })
    // As with a held key, so fast that nothing else of the page runs in between; it ends at the newer one.
    await commits.getByRole('button', { pressed: false }).evaluateAll(async (rows: { focus(): void }[]) => {
      for (let step = 0; step <= 200; step++) {
        rows[step % rows.length]?.focus()
        await Promise.resolve()
      }
    })
    await commits.getByRole('button', { name: new RegExp(first) }).focus()
    await page.keyboard.press('ArrowUp')
    await commits
      .getByRole('button', { name: /Raise the size.*on 1 of 3 stages, up to env\/way-dev/ })
      .waitFor()
    const way = page.getByRole('list', { name: `Way of ${second.slice(0, 7)}` })
    await way.waitFor()
    assert.deepEqual(
      await way
        .getByRole('listitem')
        .evaluateAll((stops: ShownStop[]) =>
          stops.map((stop) => [stop.textContent, stop.getAttribute('data-reached')]),
        ),
      [
        [dev, 'true'],
        [staging, 'false'],
        [prod, 'false'],
      ],
    )
    await way.getByRole('link', { name: `${second.slice(0, 7)} on ${dev}: what it changed` }).click()
    await page.getByRole('heading', { level: 1, name: 'way-dev' }).waitFor()
    await page.getByRole('tab', { name: 'Changes', selected: true }).waitFor()
    await page.getByText('Raise the size').first().waitFor()
  })

  it('lead to the page of a dry commit, which says what it changed on each branch', async () => {
    const { mesh, open } = await sharedConsole()
    const repository = await mesh.fixture.createRepository('acme/told-way', {
      'told-one/a.yaml': configMap('told-one', '1'),
      'told-two/a.yaml': configMap('told-two', '1'),
      'told-other/a.yaml': configMap('told-other', '1'),
    })
    await using forged = await connectForge(mesh, repository)
    const common = { repoURL: repository.url }
    const names = ['told-one', 'told-two', 'told-other']
    await mesh.fixture.applyAndWait(
      await repository.dry.head(),
      { ...common, name: 'told-one', branch: 'env/told' },
      { ...common, name: 'told-two', branch: 'env/told' },
      { ...common, name: 'told-other', branch: 'env/told-other' },
    )
    const sha = await repository.push(
      { 'told-one/a.yaml': configMap('told-one', '2') },
      'Raise the size\n\nTraffic doubled.\n',
    )
    for (const name of names) await mesh.fixture.hydrateTo(sha, name)
    const review = { context: 'wadi/diff', state: 'success', description: '1 object changed' }
    forged.forge.state.statuses.push({ sha, ...review, target_url: 'https://wadi.example.com/impact' })
    const address = `/environments?${new URLSearchParams({ repository: repository.url }).toString()}`
    await using console = await open(address, { user: 'admin' })
    const { page } = console
    await page.getByRole('button', { name: /^Raise the size/ }).click()
    await page.getByRole('link', { name: `dry commit ${sha.slice(0, 7)}: what it changed` }).click()
    await page.getByRole('heading', { level: 1, name: 'Raise the size' }).waitFor()
    await page.getByText('Traffic doubled.').waitFor()
    await page.getByText('Review: success').waitFor()
    await page.getByRole('link', { name: '1 object changed' }).waitFor()
    const rows = page.getByRole('table', { name: 'Branches' }).getByRole('row')
    const changed = rows.filter({ has: page.getByRole('link', { name: 'env/told', exact: true }) })
    await changed.getByText('Changed', { exact: true }).waitFor()
    await changed.getByText('1 Application unchanged').waitFor()
    const other = rows.filter({ has: page.getByRole('link', { name: 'env/told-other' }) })
    await other.getByText('Nothing changed').waitFor()
    await changed.getByRole('link', { name: 'told-one' }).click()
    await page.getByRole('tab', { name: 'Changes', selected: true }).waitFor()
    await page.getByText('Raise the size').first().waitFor()
  })

  it('are promoted by those who may, and nothing is written when a branch moved meanwhile', async () => {
    const { mesh, open } = await sharedConsole()
    const name = 'asked-way'
    const repository = await mesh.fixture.createRepository(`acme/${name}`, {
      [`${name}/a.yaml`]: configMap(name, '1'),
    })
    await using forged = await connectForge(mesh, repository)
    const { state } = forged.forge
    await mesh.fixture.applyAndWait(await repository.dry.head(), {
      repoURL: repository.url,
      name,
      branch: `env/${name}`,
      hydrateTo: `env/${name}-next`,
    })
    const address = `/environments?${new URLSearchParams({ repository: repository.url }).toString()}`
    await using console = await open(address, { user: 'admin' })
    const { page } = console
    const notices = page.getByRole('alert').getByRole('button', { name: 'Close', exact: true })
    const press = async (change: string) => {
      for (const notice of await notices.all()) await notice.click()
      await until(async () => (await notices.count()) === 0)
      await page.getByRole('button', { name: new RegExp(`^${change}.*…$`) }).click()
      const dialog = page.getByRole('dialog')
      await assertUsable(page, change, { among: fewLooks })
      return dialog
    }
    const promote = await press(`Promote to env/${name}`)
    await promote.getByText('Brings everything up to dry commit').waitFor()
    await promote.getByRole('button', { name: 'Promote' }).click()
    await page.getByText(`Pull request 1 from env/${name}-next is open`, { exact: true }).waitFor()
    await (await press('Close pull request 1')).getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('Held back').waitFor()
    await (await press('Reopen pull request 1')).getByRole('button', { name: 'Reopen' }).click()

    // The staging branch moves while the dialog is open.
    const merge = await press('Merge pull request 1')
    const drySha = await repository.push({ [`${name}/a.yaml`]: configMap(name, '2') }, 'Raise the size')
    await mesh.fixture.hydrateTo(drySha, name)
    await merge.getByText('It has changed meanwhile').waitFor()
    await assertUsable(page, 'a stage that moved', { among: fewLooks })
    assert.equal(await merge.getByRole('button', { name: 'Merge' }).count(), 0)
    await merge.getByRole('button', { name: 'Show it as it is now' }).click()
    await merge.getByText('Raise the size').waitFor()
    assert.equal(state.pulls[0]?.isMerged, false)

    // What the forge refuses stays in the dialog.
    state.blockedBy = 'unstable'
    await merge.getByRole('button', { name: 'Merge' }).click()
    await merge.getByText('checks have not passed').waitFor()
    await assertUsable(page, 'a merge that the forge refuses', { among: fewLooks })
    state.blockedBy = undefined
    await merge.getByRole('button', { name: 'Merge' }).click()
    await page.getByText(`Pull request 1 from env/${name}-next is merged`, { exact: true }).waitFor()
    await page.getByText('Promoted', { exact: true }).waitFor()
    assert.match(await repository.read(`env/${name}`, `${name}/manifest.yaml`), /value: "2"/)
    assert.deepEqual(forged.forge.violations, [])
  })

  it('are shown to those alone who see an Application of it', async () => {
    const { mesh, open } = await sharedConsole()
    const { repository } = await mesh.fixture.hydratedOnce('unseen-way')
    const address = `/environments?${new URLSearchParams({ repository: repository.url }).toString()}`
    await using console = await open(address, { user: 'ann' })
    await console.page.getByRole('heading', { name: 'No environment matches' }).waitFor()
    assert.equal(await console.page.getByText('environments/unseen-way').count(), 0)
  })
})
