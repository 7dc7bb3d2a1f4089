import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { languages } from '@wadi/web/words/language/languages.ts'
import type { Page } from 'playwright-core'
import { assertFits, axe, obstacles } from '../usable-page-fixture.ts'
import { sharedConsole, visit } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'
import { makeFindings } from './findings-fixture.ts'
import { readCatalogue, speak, waitForAll } from './language-fixture.ts'
import { assertTranslated, usePseudoLanguage } from './pseudo-language-fixture.ts'

const application = '/applications/argocd/spoken'

/** The main pages; an address that ends with `=` is of the repository, and `HEAD` stands for its dry commit. */
const pages = [
  '/applications?text=spoken',
  '/applications/new',
  application,
  `${application}?tab=changes`,
  `${application}?tab=parameters`,
  `${application}?tab=history`,
  `${application}?tab=compare`,
  `${application}?tab=objects`,
  `${application}?tab=objects&view=tree`,
  `${application}?tab=runs`,
  `${application}?tab=preview&revision=main`,
  `${application}?tab=object`,
  '/environments?repository=',
  '/commit?sha=HEAD&repository=',
  '/branches?text=spoken',
  '/branch?branch=environments/spoken&repository=',
  '/findings?text=spoken',
  '/application-sets',
  '/application-sets/new',
  '/impact',
  '/settings',
  '/settings?tab=projects',
  '/settings?tab=accounts',
  '/settings?tab=plugins',
  '/settings?tab=rights',
  '/settings?tab=policy',
  '/settings?tab=checks',
  '/settings?tab=about',
]
const widths = [390, 1440, 2560]

/** Makes what the pages show once. */
async function openSpoken() {
  const { mesh, open } = await sharedConsole()
  const { repository } = await mesh.fixture.hydratedOnce('spoken')
  await makeFindings(mesh, 'spoken-found')
  const drySha = await repository.dry.head()
  const addresses = pages.map((path) => {
    const ofRepository = path.endsWith('=') ? path + encodeURIComponent(repository.url) : path
    return ofRepository.replace('HEAD', drySha)
  })
  return { open, repository, addresses }
}

let spoken: ReturnType<typeof openSpoken> | undefined

/** Goes through the main pages in a language, and leaves the console in English. */
async function throughPages(language: string, check: (page: Page, address: string) => Promise<void>) {
  const { open, addresses } = await (spoken ??= openSpoken())
  const catalogue = await readCatalogue(language)
  await using console = await open('/applications', { user: 'admin' })
  const { page } = console
  await page.mouse.move(0, 0)
  await speak(page, language)
  await page.evaluate(axe)
  for (const address of addresses) {
    await visit(page, address, catalogue['Page not found'])
    await waitForAll(page, catalogue['Loading'] ?? '')
    await check(page, address)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await speak(page, undefined)
}

describe('the languages of the console', { skip: noBrowser }, () => {
  for (const [tag, name] of Object.entries(languages)) {
    if (tag === 'en') continue
    it(`can be used by everybody in ${name}, on a telephone and on a wide screen`, async () => {
      await throughPages(tag, async (page, address) => {
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 })
          await assertFits(page, `${tag} ${address}, ${width} px wide`)
          if (width !== 390) continue
          const found = await obstacles(page, { colorScheme: 'dark', width, rules: 'all' })
          assert.deepEqual(found, [], `${tag} ${address}`)
        }
      })
    })
  }

  it('takes every text of a page from the catalogue', async () => {
    const { open, addresses, repository } = await (spoken ??= openSpoken())
    await using console = await open('/applications', { user: 'admin' })
    const { page } = console
    await usePseudoLanguage(page)
    await speak(page, 'de')
    const found: string[] = []
    for (const address of addresses) {
      await visit(page, address, '⟦Page not found⟧')
      await waitForAll(page, '⟦Loading⟧')
      found.push(...(await assertTranslated(page, address, repository.url)))
    }
    await page.unrouteAll()
    await speak(page, undefined)
    assert.deepEqual(found, [])
  })

  it('are chosen by the browser, or in the header, and kept', async () => {
    const { open } = await sharedConsole()
    await using console = await open('/applications', { user: 'admin' })
    const { page } = console
    await page.getByRole('button', { name: 'Language', exact: true }).click()
    await page.getByRole('menuitem', { name: '日本語' }).click()
    await page.locator('html[lang=ja]').waitFor({ state: 'attached' })
    await page.getByRole('link', { name: '環境', exact: true }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: '環境', exact: true }).waitFor()
    await speak(page, undefined)
    await page.getByRole('link', { name: 'Environments', exact: true }).waitFor()
    const browser = page.context().browser()
    assert.ok(browser)
    await using context = await browser.newContext({ locale: 'fr-CA' })
    const french = await context.newPage()
    await french.goto(page.url())
    await french.getByRole('button', { name: 'Se connecter', exact: true }).waitFor()
    assert.equal(await french.locator('html').getAttribute('lang'), 'fr')
  })
})
