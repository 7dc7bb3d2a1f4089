import { randomBytes } from 'node:crypto'
import { createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { AccountService } from '@wadi/protocol/gen/argocd/account/account_pb.ts'
import type { Browser, Page } from 'playwright-core'
import type { MeshProcess } from './mesh-process.ts'

/** The list of Applications of the web console in a browser. */
export interface ConsoleList {
  /** Loads the page and returns after how many milliseconds the list, filtered by a text, can be used. */
  load(text: string): Promise<number>
  /** Scrolls through the whole list, then jumps about in it, and returns what the main thread worked for each frame, in milliseconds. */
  scroll(): Promise<number[]>
  /** Types a text into the filter, waits for the number of rows, and returns what the main thread worked for each letter and then. */
  filter(text: string, count: number): Promise<number[]>
  /** Rows in the document now. */
  rows(): Promise<number>
}

const timeoutMs = 60_000
const wheel = 600
const jumps = 30

/** Signs in and shows the list. */
export async function openConsoleList(browser: Browser, mesh: MeshProcess): Promise<ConsoleList> {
  const password = await setPassword(mesh)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  const page = await context.newPage()
  page.setDefaultTimeout(timeoutMs)
  await page.goto(`${mesh.address}/applications`)
  await page.getByLabel('Account').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await firstRow(page).waitFor()
  const work = await openWork(page)
  return {
    load: async (text) => {
      await page.goto(`${mesh.address}/applications?text=${text}`)
      const shown =
        text === '' ? firstRow(page) : page.getByRole('heading', { name: 'No Application matches' })
      await shown.waitFor()
      // The main thread has nothing to do before it.
      return page.evaluate<number>(
        'new Promise((resolve) => requestIdleCallback(() => resolve(performance.now())))',
      )
    },
    scroll: () => scroll(page, work),
    filter: async (text, count) => {
      const field = page.getByRole('textbox', { name: 'Name, repository or path' })
      await field.fill('')
      await firstRow(page).waitFor()
      const frames: number[] = []
      for (const letter of text) frames.push(await work(() => field.press(letter)))
      const counted = `${new Intl.NumberFormat('en-GB').format(count)} Applications`
      frames.push(await work(() => page.getByText(counted, { exact: true }).waitFor()))
      return frames
    },
    rows: () => page.getByRole('row').count(),
  }
}

function firstRow(page: Page) {
  return page.getByRole('link', { name: 'app-0', exact: true })
}

async function setPassword({ address, adminToken }: MeshProcess): Promise<string> {
  const newPassword = randomBytes(16).toString('hex')
  const transport = createConnectTransport({
    baseUrl: address,
    httpVersion: '1.1',
    interceptors: [
      (next) => (request) => {
        request.header.set('authorization', `Bearer ${adminToken}`)
        return next(request)
      },
    ],
  })
  await createClient(AccountService, transport).updatePassword({ name: 'admin', newPassword })
  return newPassword
}

/** Returns the work of the page's main thread, in milliseconds of its own processor time, whatever else the machine does. */
async function openWork(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
  }
  return async (step: () => Promise<unknown>): Promise<number> => {
    const before = await worked()
    await step()
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    return (await worked()) - before
  }
}

/** A turn of the wheel moves 600 pixels in each frame; after it come jumps, as the scroll bar makes them. */
async function scroll(page: Page, work: Awaited<ReturnType<typeof openWork>>): Promise<number[]> {
  const bottom = await page.evaluate<number>('document.documentElement.scrollHeight - innerHeight')
  const turns = Array.from({ length: Math.ceil(bottom / wheel) }, (_, turn) => turn * wheel)
  const leaps = Array.from({ length: jumps }, (_, jump) => (bottom * ((jump * 7) % jumps)) / jumps)
  const frames: number[] = []
  for (const top of [...turns, ...leaps, 0])
    frames.push(await work(() => page.evaluate(`scrollTo(0, ${top})`)))
  return frames
}
