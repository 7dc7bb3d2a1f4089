import type { CDPSession, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'

/** The list of Applications. */
const list = '/applications'
/** A page of the console that reads nothing. */
const emptyPage = '/no/such/page'
const frames = 240

/** Scrolls the window for a number of frames, and returns the longest of them in milliseconds. */
const scroll = `(async () => {
  let longest = 0
  let last = await new Promise(requestAnimationFrame)
  for (let frame = 0; frame < ${frames}; frame++) {
    scrollBy(0, 120)
    const now = await new Promise(requestAnimationFrame)
    longest = Math.max(longest, now - last)
    last = now
  }
  return longest
})()`

/** Returns the milliseconds from the next key to the next frame in which the list has another number of Applications. */
const keyToRows = `new Promise((resolve) => {
  const shown = () => /[\\d,]+ Applications?/.exec(document.querySelector('main').textContent)?.[0]
  const before = shown()
  let began = 0
  addEventListener('keydown', () => { began = performance.now() }, { capture: true, once: true })
  const seen = new MutationObserver(() => {
    if (began === 0 || shown() === before) return
    seen.disconnect()
    requestAnimationFrame(() => resolve(performance.now() - began))
  })
  seen.observe(document.querySelector('main'), { childList: true, subtree: true, characterData: true })
})`

/** The console of a gateway in a browser, which measures what its pages cost. */
export class ConsoleCosts implements AsyncDisposable {
  readonly #page: Page
  readonly #tools: CDPSession
  readonly #origin: string

  /** Opens the console as the owner of a token. */
  static async open(origin: string, token: string): Promise<ConsoleCosts> {
    const browser = await launchChromium()
    const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1440, height: 900 } })
    await context.addCookies([{ name: 'argocd.token', value: token, url: origin }])
    const page = await context.newPage()
    const tools = await context.newCDPSession(page)
    // The time of the page's own thread: a busy machine does not count.
    await tools.send('Performance.enable', { timeDomain: 'threadTicks' })
    await tools.send('Network.enable')
    return new ConsoleCosts(page, tools, origin)
  }

  private constructor(page: Page, tools: CDPSession, origin: string) {
    this.#page = page
    this.#tools = tools
    this.#origin = origin
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#page.context().browser()?.close()
  }

  /** Milliseconds from a reload to the first row of the list. */
  firstRows(): Promise<number> {
    return this.#timeToSee(list, '[role=row] a')
  }

  /** Milliseconds from a reload to the heading of a page that reads nothing. */
  emptyPage(): Promise<number> {
    return this.#timeToSee(emptyPage, 'main h1')
  }

  async #timeToSee(path: string, selector: string): Promise<number> {
    await this.#page.goto(new URL(path, this.#origin).href)
    await this.#page.locator(selector).first().waitFor()
    const began = performance.now()
    await this.#page.reload({ waitUntil: 'commit' })
    await this.#page.locator(selector).first().waitFor()
    return performance.now() - began
  }

  /** The longest frame while the list is scrolled, in milliseconds. */
  async longestFrame(): Promise<number> {
    await this.#show(list)
    await this.#page.locator('[role=row] a').first().waitFor()
    return this.#page.evaluate<number>(scroll)
  }

  /** Milliseconds from the last key of a text in the filter to the rows that it leaves, which are fewer than without the key. */
  async filter(text: string): Promise<number> {
    await this.#show(`${list}?text=${text.slice(0, -1)}`)
    await this.#page.locator('[role=row] a').first().waitFor()
    const field = this.#page.getByRole('textbox', { name: 'Name, repository or path' })
    await field.press('End')
    const time = this.#page.evaluate<number>(keyToRows)
    await field.press(text.slice(-1))
    return time
  }

  /** Milliseconds of script until a page has drawn what matches a selector, after the list. */
  async script(path: string, selector: string): Promise<number> {
    await this.#show(list)
    const before = await this.#metric('ScriptDuration')
    await this.#show(path)
    await this.#page.locator(selector).first().waitFor()
    return ((await this.#metric('ScriptDuration')) - before) * 1_000
  }

  /** The bytes of compressed script that a browser without a cache loads for the list. */
  async firstLoad(): Promise<number> {
    return this.#loaded(async () => {
      await this.#page.goto(new URL(list, this.#origin).href)
      await this.#page.locator('main h1').waitFor()
    })
  }

  /** The bytes of memory of scripts after a collection. */
  async memory(): Promise<number> {
    await this.#tools.send('HeapProfiler.collectGarbage')
    return this.#metric('JSHeapUsedSize')
  }

  /** The bytes of compressed script that come over the network meanwhile. */
  async #loaded(work: () => Promise<void>): Promise<number> {
    await this.#tools.send('Network.setCacheDisabled', { cacheDisabled: true })
    const scripts = new Set<string>()
    let bytes = 0
    const onResponse = ({ requestId, type }: { requestId: string; type: string }) => {
      if (type === 'Script') scripts.add(requestId)
    }
    const onEnd = ({ requestId, encodedDataLength }: { requestId: string; encodedDataLength: number }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength
    }
    this.#tools.on('Network.responseReceived', onResponse)
    this.#tools.on('Network.loadingFinished', onEnd)
    await work()
    this.#tools.off('Network.responseReceived', onResponse)
    this.#tools.off('Network.loadingFinished', onEnd)
    await this.#tools.send('Network.setCacheDisabled', { cacheDisabled: false })
    return bytes
  }

  /** Goes to a page as links do. */
  async #show(path: string): Promise<void> {
    await this.#page.evaluate(`history.pushState(null, '', ${JSON.stringify(emptyPage)})`)
    await this.#page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await this.#page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
    await this.#page.locator('main h1:not(:has-text("Page not found"))').waitFor()
  }

  async #metric(name: string): Promise<number> {
    const { metrics } = await this.#tools.send('Performance.getMetrics')
    return metrics.find((metric) => metric.name === name)?.value ?? 0
  }
}
