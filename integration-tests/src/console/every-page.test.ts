import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { helmOfCharts } from '@wadi/gotemplate/engine-versions.ts'
import { renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { assertFits } from '../usable-page-fixture.ts'
import { missingPath, sharedConsole, visit, visitNothing } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'
import { makeFindings } from './findings-fixture.ts'
import { makeKeptBranch } from './kept-branch-fixture.ts'
import { assertUsable } from './usable-console-fixture.ts'

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

/** Fails unless who opens an address gets the console. */
async function assertServed(origin: string, path: string, status: number): Promise<void> {
  const answer = await fetch(new URL(path, origin), { headers: { accept: 'text/html' } })
  assert.equal(answer.status, status, path)
  assert.match(await answer.text(), /<script type="module"/, path)
}

describe('every page', { skip: noBrowser }, () => {
  it('can be used by everybody, light and dark, wide and on a telephone', async () => {
    const { mesh, open } = await sharedConsole()
    const { repository } = await mesh.fixture.hydratedOnce('pages')
    const drySha = await repository.dry.head()
    await makeFindings(mesh, 'pages-found')
    await mesh.admin.resources.applyResource({ resource: pageSet })
    await using console = await open('/')
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
    await visit(console.page, '/branches')
    await console.page
      .getByRole('button', { name: /^dry commit / })
      .first()
      .hover()
    await console.page.getByRole('tooltip').waitFor()
    await assertFits(console.page, 'the tip of a commit')
  })
})
