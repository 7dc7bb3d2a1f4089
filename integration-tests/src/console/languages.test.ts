import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { axe, cutTexts, obstacles, sidewaysExcess, waitForAll } from '../usable-page-fixture.ts'
import { sharedConsole, visit } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'
import { makeFindings } from './findings-fixture.ts'
import { readCatalogue, speak } from './language-fixture.ts'
import { assertTranslated, namesOfObjects, usePseudoLanguage } from './pseudo-language-fixture.ts'

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
/** The directory for a picture of each page on a telephone; none by default. */
const shots = process.env['WADI_CONSOLE_SHOTS']

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

/** Returns what `look` finds on the main pages in languages, and leaves the console in English. */
async function lookThrough(
  languages: readonly string[],
  look: (page: Page) => Promise<string[]>,
): Promise<string[]> {
  const { open, addresses } = await (spoken ??= openSpoken())
  await using console = await open('/applications', { user: 'admin' })
  const { page } = console
  await page.mouse.move(0, 0)
  // The page has its new width at once.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const found: string[] = []
  for (const language of languages) {
    const catalogue = await readCatalogue(language)
    await speak(page, language)
    for (const address of addresses) {
      await visit(page, address, catalogue['Page not found'])
      await waitForAll(page, catalogue['Loading'])
      const name = `${language} ${address}`
      found.push(...(await look(page)).map((problem) => `${name}: ${problem}`))
      if (shots !== undefined)
        await page.screenshot({ path: join(shots, `${name.replaceAll(/\W+/g, '-')}.png`), fullPage: true })
    }
  }
  await page.emulateMedia({ reducedMotion: null })
  await page.setViewportSize({ width: 1440, height: 900 })
  await speak(page, undefined)
  return found
}

/** Returns what does not fit into a page on a telephone, but names of Applications and branches, which may end with an ellipsis. */
async function misfits(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 390, height: 900 })
  const excess = await sidewaysExcess(page)
  const cut = (await cutTexts(page))
    .filter((text) => !text.includes('spoken'))
    .map((text) => `cut off on a telephone: ${text}`)
  return excess > 0 ? [`${excess} px too wide for a telephone`, ...cut] : cut
}

describe('the languages of the console', { skip: noBrowser }, () => {
  it('can be used by everybody in German and Japanese, on a telephone and on a wide screen', async () => {
    const found = await lookThrough(['de', 'ja'], async (page) => {
      await page.setViewportSize({ width: 1440, height: 900 })
      const excess = await sidewaysExcess(page)
      const wide = excess > 0 ? [`${excess} px too wide for a wide screen`] : []
      const narrow = await misfits(page)
      if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axe)
      const look = { colorScheme: 'dark', width: 390, rules: 'all' } as const
      return [...wide, ...narrow, ...(await obstacles(page, look))]
    })
    assert.deepEqual(found, [])
  })

  it('have room on a telephone for their texts in Spanish, French and Chinese', async () => {
    assert.deepEqual(await lookThrough(['es', 'fr', 'zh-Hans'], misfits), [])
  })

  it('takes every text of a page from the catalogue', async () => {
    const { open, addresses, repository } = await (spoken ??= openSpoken())
    const { mesh } = await sharedConsole()
    const names = await namesOfObjects(mesh.admin)
    await using console = await open('/applications', { user: 'admin' })
    const { page } = console
    await usePseudoLanguage(page)
    await speak(page, 'de')
    const found: string[] = []
    for (const address of addresses) {
      await visit(page, address, '⟦Page not found⟧')
      await waitForAll(page, '⟦Loading⟧')
      found.push(...(await assertTranslated(page, address, [repository.url, ...names])))
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
    const catalogues = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/fr-'))`
    assert.equal(await french.evaluate(`${catalogues}.length`), 1, 'the texts of the first page are enough')
  })
})
