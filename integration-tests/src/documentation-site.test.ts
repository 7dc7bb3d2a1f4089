import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { describe, it } from 'node:test'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'
import type { Page } from 'playwright-core'
import { launchChromium, noBrowser } from './console/chromium.ts'
import { assertFits, axe, looks, obstacles } from './usable-page-fixture.ts'

const site = path.resolve(import.meta.dirname, '../../dist/site')
const notBuilt = existsSync(path.join(site, 'index.html'))
  ? undefined
  : 'the site is not built; run "npm run build:site"'

/** A page of each kind, by its address. */
const pages = [
  '/',
  '/docs/guides/hydrating.html',
  '/docs/settings.html',
  '/docs/reference/commands.html',
  '/docs/reference/metrics.html',
  '/proto/wadi/api_gateway/v1/application_service.html',
  '/404.html',
]

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
}

/** Serves the built site at a port of its own. */
async function serveSite(): Promise<AsyncDisposable & { origin: string }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const file = path.join(site, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    readFile(file).then(
      (content) =>
        response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'text/plain' }).end(content),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Opens a page and gives it `axe`. */
async function visit(page: Page, address: string): Promise<void> {
  page.setDefaultTimeout(hangLimitMs)
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(axe)
}

async function assertUsable(page: Page, look: (typeof looks)[number], name: string): Promise<void> {
  const shown = `${name}, ${look.colorScheme}, ${look.width} px wide`
  await assertFits(page, shown)
  assert.deepEqual(await obstacles(page, look), [], shown)
}

describe('the documentation site', { skip: noBrowser ?? notBuilt }, () => {
  it('can be used and searched by everybody, light and dark, wide and on a telephone, and asks no other host', async () => {
    await using server = await serveSite()
    await using browser = await launchChromium()
    for (const look of looks) {
      const { colorScheme, width } = look
      await using context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
      const page = await context.newPage()
      const foreign: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(server.origin) && !request.url().startsWith('data:'))
          foreign.push(request.url())
      })
      for (const address of pages) {
        await visit(page, server.origin + address)
        await assertUsable(page, look, address)
      }
      await page.keyboard.press('Control+k')
      await page.getByRole('searchbox').fill('foreign changes')
      const result = page.getByRole('option', { name: /Hydrating.*Foreign changes/s })
      await result.waitFor()
      await assertUsable(page, look, 'search')
      await result.getByText('Foreign').click()
      await page.waitForURL('**/docs/guides/hydrating.html#foreign-changes')
      assert.deepEqual(foreign, [])
    }
  })

  it('shows placeholders in double braces as they are written', async () => {
    await using server = await serveSite()
    await using browser = await launchChromium()
    const page = await browser.newPage()
    await visit(page, `${server.origin}/docs/reference/commands.html`)
    await page.getByText('Placeholders of rules: {{name}}, {{namespace}}').waitFor()
    await page.getByText('environments/{{destination}}').first().waitFor()
  })

  it('finds what is made from the code', async () => {
    await using server = await serveSite()
    await using browser = await launchChromium()
    const page = await browser.newPage()
    await visit(page, `${server.origin}/`)
    await page.keyboard.press('Control+k')
    for (const [text, found] of Object.entries({
      ListApplications: /ApplicationService.*Methods.*ListApplications/s,
      'wadi app history': /Commands.*wadi app.*wadi app history/s,
      wadi_queue_jobs: /Metrics.*hydrator/s,
      WADI_POLL_INTERVAL: /Settings.*hydrator/s,
    })) {
      await page.getByRole('searchbox').fill(text)
      await page.getByRole('option', { name: found }).first().waitFor()
    }
  })
})

describe('the links of the documentation site', { skip: notBuilt }, () => {
  it('lead to pages, headings and files that exist', async () => {
    const texts = new Map<string, string>()
    for await (const file of glob('**/*.html', { cwd: site })) {
      texts.set(`/${file}`, await readFile(path.join(site, file), 'utf8'))
    }
    assert.ok(texts.size > 100)
    const dead: string[] = []
    for (const [file, text] of texts) {
      for (const [, href = ''] of text.matchAll(/<a\b[^>]*?\shref="([^"]+)"/g)) {
        if (/^[a-z]+:/.test(href)) continue
        const { pathname, hash } = new URL(href, `http://site${file}`)
        const target = pathname.endsWith('/') ? `${pathname}index.html` : pathname
        const id = decodeURIComponent(hash.slice(1))
        const page = texts.get(target)
        const isThere =
          page === undefined
            ? id === '' && existsSync(path.join(site, target))
            : id === '' || page.includes(`id="${id}"`)
        if (!isThere) dead.push(`${file}: ${href}`)
      }
    }
    assert.deepEqual(dead, [])
  })
})
