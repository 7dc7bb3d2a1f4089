import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** A catalogue of the console: the texts of a language by the English ones. */
export type Catalogue = Readonly<Record<string, string>>

const catalogues = join(import.meta.dirname, '../../../clients/web/src/language/catalogues')

/** Reads the catalogue of a language of the console. */
export async function readCatalogue(language: string): Promise<Catalogue> {
  return JSON.parse(await readFile(join(catalogues, `${language}.json`), 'utf8')) as Catalogue
}

/** Shows the page that is open in another language, or in that of the browser again. */
export async function speak(page: Page, language: string | undefined): Promise<void> {
  const choice =
    language === undefined ? 'removeItem("wadi-language")' : `setItem("wadi-language", "${language}")`
  await page.evaluate(`localStorage.${choice}`)
  await page.reload()
  await page.locator(`html[lang="${language ?? 'en'}"]`).waitFor({ state: 'attached' })
  await page.locator('main h1').waitFor()
}
