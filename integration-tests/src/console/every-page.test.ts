import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The pages by address, each with its heading; an address that ends with `=` is of the repository. */
const pages: Readonly<Record<string, string>> = {
  '/applications': 'Applications',
  '/applications/new': 'New Application',
  '/applications/argocd/pages': 'pages',
  '/applications/argocd/pages?tab=changes': 'pages',
  '/applications/argocd/pages?tab=parameters': 'pages',
  '/applications/argocd/pages?tab=history': 'pages',
  '/applications/argocd/pages?tab=manifests': 'pages',
  '/applications/argocd/pages?tab=preview&revision=main': 'pages',
  '/branches': 'Branches',
  '/branch?branch=environments/pages&repository=': 'environments/pages',
  '/application-sets': 'ApplicationSets',
  '/application-sets/argocd/page-set': 'page-set',
  '/impact': 'Impact',
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

/** What the pages are about, once for all looks: the URL of the repository. */
const hydrated = (async () => {
  if (noBrowser) return ''
  const { mesh } = await sharedConsole()
  const { repository } = await mesh.fixture.hydratedOnce('pages')
  await mesh.admin.resources.applyResource({ resource: pageSet })
  return repository.url
})()

/** What a screen reader or a weak eye stumbles over on a page. */
async function obstacles(page: Page): Promise<string[]> {
  // The debugger's way in, which the policy of the page does not concern.
  await page.evaluate(axe)
  const results = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })")
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`))
}

describe('every page', { skip: noBrowser }, () => {
  for (const look of [{ isDark: false }, { isDark: true, width: 390 }]) {
    it(`can be used by everybody, ${look.isDark ? 'dark and on a telephone' : 'light and wide'}`, async () => {
      const { mesh, open } = await sharedConsole()
      const repository = encodeURIComponent(await hydrated)
      await using console = await open('/', look)
      assert.deepEqual(await obstacles(console.page), [], 'sign-in')
      await console.signIn('admin')
      await console.page.getByRole('heading', { name: 'Applications', exact: true }).waitFor()
      for (const [path, heading] of Object.entries(pages)) {
        const { pathname } = new URL(path, mesh.address)
        const address = path.endsWith('=') ? path + repository : path
        await console.page.goto(new URL(address, console.page.url()).href)
        await console.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
        const loading = console.page.getByRole('status', { name: 'Loading' })
        await until(async () => (await loading.count()) === 0)
        assert.deepEqual(await obstacles(console.page), [], pathname)
        const width = await console.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        assert.ok(width <= 0, `${pathname} is ${width} px too wide`)
      }
    })
  }
})
