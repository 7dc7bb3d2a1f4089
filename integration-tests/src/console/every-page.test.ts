import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { helmOfCharts } from '@wadi/gotemplate/engine-versions.ts'
import { renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { until } from '@wadi/testing/until.ts'
import type { Page } from 'playwright-core'
import { configMap } from '../application-fixture.ts'
import type { MeshFixture } from '../mesh-fixture.ts'
import { assertFits, axe, type Look, looks, obstacles } from '../usable-page-fixture.ts'
import { missingPath, sharedConsole, visit, visitNothing } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'
import { makeFindings } from './findings-fixture.ts'
import { makeKeptBranch } from './kept-branch-fixture.ts'

/** The pages by address, each with its heading; an address that ends with `=` is of the repository, and `HEAD` stands for its dry commit. */
const pages: Readonly<Record<string, string>> = {
  '/applications': 'Applications',
  '/applications?group=repository&finding=%5B"warn"%5D': 'Applications',
  '/applications/new': 'New Application',
  '/applications/argocd/pages': 'pages',
  '/applications/argocd/pages?tab=changes': 'pages',
  '/applications/argocd/pages?tab=parameters': 'pages',
  '/applications/argocd/pages?tab=history': 'pages',
  '/applications/argocd/pages?tab=objects': 'pages',
  '/applications/argocd/pages?tab=objects&object=ConfigMap//pages': 'pages',
  '/applications/argocd/pages?tab=objects&view=tree': 'pages',
  '/applications/argocd/pages?tab=manifests': 'pages',
  '/applications/argocd/pages?tab=runs': 'pages',
  '/applications/argocd/pages?tab=preview&revision=main': 'pages',
  '/applications/argocd/pages?tab=compare': 'pages',
  '/applications/argocd/pages?tab=compare&other=argocd/pages-found': 'pages',
  '/applications/argocd/pages?tab=object': 'pages',
  '/applications/new?copy=argocd/pages': 'New Application',
  '/environments': 'Environments',
  '/environments?repository=': 'Environments',
  '/environments?set=nothing-like-it': 'Environments',
  '/commit?sha=HEAD&repository=': 'First configuration',
  '/branches': 'Branches',
  '/branch?branch=environments/pages&repository=': 'environments/pages',
  '/findings': 'Findings',
  '/findings?text=nothing+has+this': 'Findings',
  '/application-sets': 'ApplicationSets',
  '/application-sets/new': 'New ApplicationSet',
  '/application-sets/argocd/page-set': 'page-set',
  '/impact': 'Impact',
  [`/impact?helm=${helmOfCharts.slice(1)}&repository=`]: 'Impact',
  '/impact?helm=0.0.1&repository=': 'Impact',
  '/settings': 'Settings',
  '/settings?tab=projects': 'Settings',
  '/settings?tab=accounts': 'Settings',
  '/settings?tab=plugins': 'Settings',
  '/settings?tab=rights': 'Settings',
  '/settings?tab=policy': 'Settings',
  '/settings?tab=checks': 'Settings',
  '/settings?tab=about': 'Settings',
}

const pageSet = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'page-set' },
  spec: {
    generators: [{ list: { elements: [] } }],
    template: { metadata: { name: '{{name}}' }, spec: { project: 'default', destination: {} } },
  },
}

/** The directory for a screenshot of each page and look; none by default. */
const shots = process.env['WADI_CONSOLE_SHOTS']

/** Fails unless who opens an address gets the console. */
async function assertServed(origin: string, path: string, status: number): Promise<void> {
  const answer = await fetch(new URL(path, origin), { headers: { accept: 'text/html' } })
  assert.equal(answer.status, status, path)
  assert.match(await answer.text(), /<script type="module"/, path)
}

/** Shows a page in a variant, and waits until it has all of it. */
async function show(page: Page, { colorScheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 900 })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  const loading = page.getByRole('status', { name: 'Loading' }).or(page.getByRole('progressbar'))
  await until(async () => (await loading.count()) === 0)
  // Two frames later what changes by a transition is on its way, with colors between those of the variants, and is taken to its end.
  await drawFrames(page, 2)
  await page.evaluate(
    'for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()',
  )
}

async function drawFrames(page: Page, count: number): Promise<void> {
  await page.evaluate(
    `(async () => { for (let frame = 0; frame < ${count}; frame++) await new Promise(requestAnimationFrame) })()`,
  )
}

/** Fails unless everybody can use the page that is open, in every variant. */
async function assertUsable(page: Page, name: string): Promise<void> {
  for (const look of looks) {
    await show(page, look)
    const shown = `${name}, ${look.colorScheme}, ${look.width} px wide`
    await assertFits(page, shown)
    if ((await obstacles(page, look)).length > 0) {
      // An editor takes some frames to measure its new width; drawing them in each variant takes longer than checking one again.
      await drawFrames(page, 5)
      assert.deepEqual(await obstacles(page, look), [], shown)
    }
    if (shots !== undefined) {
      const file = `${name.replaceAll(/\W+/g, '-')}-${look.width}-${look.colorScheme}.png`
      await page.screenshot({ path: join(shots, file), fullPage: true })
    }
  }
}

/** Makes an Application with two hydrated commits. */
async function makeFormerCommit({ fixture }: Pick<MeshFixture, 'fixture'>, name: string): Promise<void> {
  const { repository, branch } = await fixture.hydratedOnce(name)
  const former = await repository.head(branch)
  await repository.push({ [`${name}/a.yaml`]: configMap(name, '2') })
  await fixture.hydrate(name)
  await repository.waitForHead(branch, (head) => head !== former)
}

/** Fails unless everybody can use what opens over pages. */
async function assertDialogsUsable(page: Page): Promise<void> {
  const assertDialogUsable = async (name: string) => {
    await assertUsable(page, name)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  // Other tests of the same console have Applications too, more than a list draws.
  await visit(page, '/applications?text=pages')
  await page.getByRole('checkbox', { name: 'Select pages', exact: true }).check()
  await assertUsable(page, 'selection')
  await page.getByRole('button', { name: 'Label', exact: true }).click()
  await assertDialogUsable('labels of a selection')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search everything' }).fill('pages')
  await page.getByRole('option', { name: /^pages-found/ }).waitFor()
  await assertDialogUsable('search')
  await visit(page, '/applications/argocd/pages-former?tab=history')
  await page.getByRole('button', { name: /^Go back to this/ }).click()
  await page.getByText('pages-former/a.yaml', { exact: true }).waitFor()
  await assertDialogUsable('the way back to a commit')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await assertDialogUsable('the deletion of an Application')
  await visit(page, '/applications/argocd/pages-former?tab=object')
  await page.getByRole('textbox', { name: 'Application' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('  revisionHistoryLimit: 3')
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('dialog').getByText('revisionHistoryLimit').first().waitFor()
  await assertDialogUsable('the review of a change')
}

describe('every page', { skip: noBrowser }, () => {
  it('can be used by everybody, light and dark, wide and on a telephone', async () => {
    const { mesh, open } = await sharedConsole()
    const { repository } = await mesh.fixture.hydratedOnce('pages')
    const drySha = await repository.dry.head()
    await makeFindings(mesh, 'pages-found')
    await makeFormerCommit(mesh, 'pages-former')
    await mesh.admin.resources.applyResource({ resource: pageSet })
    await using console = await open('/')
    // The debugger's way in, which the policy of the page does not concern.
    await console.page.evaluate(axe)
    await assertUsable(console.page, 'sign-in')
    await console.signIn('admin')
    await console.page.getByRole('heading', { name: 'Applications', exact: true }).waitFor()
    // Where the pointer was for the sign-in, pages have what shows a tip.
    await console.page.mouse.move(0, 0)
    const kept: Record<string, string> = {}
    if (renderersMissing === undefined) {
      kept[await makeKeptBranch(mesh.fixture, 'pages-kept')] = 'environments/pages-kept'
      kept['/applications/argocd/pages-kept-chart'] = 'pages-kept-chart'
    }
    for (const [path, heading] of Object.entries({ ...pages, ...kept })) {
      const ofRepository = path.endsWith('=') ? path + encodeURIComponent(repository.url) : path
      const address = ofRepository.replace('HEAD', drySha)
      await assertServed(mesh.address, address, 200)
      await visit(console.page, address)
      await console.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      await assertUsable(console.page, path)
    }
    await assertServed(mesh.address, missingPath, 404)
    await visitNothing(console.page)
    await assertUsable(console.page, missingPath)
    await assertDialogsUsable(console.page)
    await visit(console.page, '/branches')
    await console.page
      .getByRole('button', { name: /^dry commit / })
      .first()
      .hover()
    await console.page.getByRole('tooltip').waitFor()
    await assertFits(console.page, 'the tip of a commit')
  })
})
