import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeToolsDirectory, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'
import { afterAllTests } from '@wadi/testing/process-end.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { addUsers, passwordOf, type UsersMesh } from '../access/users-fixture.ts'
import { launchChromium } from './chromium.ts'
import { makeTestDirectory } from '../hydration-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

interface PageOptions {
  /** The user who signs in; nobody by default. */
  user?: string
  /** In pixels. */
  width?: number
}

/** The console of a mesh in a browser. */
export interface ConsoleFixture {
  mesh: UsersMesh
  /** Opens a page of the console in a browser that knows nobody, or to a user who has signed in; what the browser or the policy of the page complains about is an error. */
  open: (path: string, options?: PageOptions) => Promise<ConsolePage>
}

/** A page of the console; disposal fails when its scripts or its policy reported an error. */
export interface ConsolePage extends AsyncDisposable {
  page: Page
  signIn: (user: string) => Promise<void>
  /** Breaks the connections between the browser and the gateway, and refuses others until `restore`. */
  cut: () => void
  restore: () => void
}

/** Renders directories with a `greeting.txt`; there is no size 13. */
const greetingPlugin = `apiVersion: argoproj.io/v1alpha1
kind: ConfigManagementPlugin
metadata: {name: greeting}
spec:
  discover: {fileName: greeting.txt}
  generate:
    command: [sh, -c]
    args:
      - |
        [ "$PARAM_SIZE" != 13 ] || { echo "there is no size 13" >&2; exit 1; }
        printf 'apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: greeting}\\ndata: {size: "%s"}\\n' "$PARAM_SIZE"
  parameters:
    static: [{name: size, title: Size, itemType: number, required: true, string: "3"}]
`

const owned = new AsyncDisposableStack()
afterAllTests(() => owned.disposeAsync())
let shared: Promise<ConsoleFixture> | undefined

/** The mesh and the browser that the tests of the console share; what a test makes in it, it names as no other does. */
export function sharedConsole(): Promise<ConsoleFixture> {
  return (shared ??= openConsole())
}

async function openConsole(): Promise<ConsoleFixture> {
  const root = join(import.meta.dirname, '../../..')
  await promisify(execFile)(process.execPath, [join(root, 'clients/web/build/build-console.ts')])
  const directory = await makeTestDirectory(owned)
  const plugin = join(directory, 'plugin.yaml')
  await writeFile(plugin, greetingPlugin)
  const toolsDirectory = owned.use(makeToolsDirectory())
  // Without the programs the links of the directory lead nowhere.
  if (!noSigningPrograms) await makeSshKey(directory, 'key')
  const environment = {
    ...(renderersMissing === undefined && { WADI_TOOLS_DIRECTORY: toolsDirectory.path }),
    ...(!noSigningPrograms && { WADI_SIGNING_KEY_PATH: join(directory, 'key') }),
  }
  const fixture = owned.use(await startMeshFixture({ plugins: [plugin], environment }))
  const mesh = owned.use(await addUsers(fixture))
  await mesh.admin.accounts.updatePassword({ name: 'admin', newPassword: passwordOf('admin') })
  const browser = await launchChromium()
  owned.defer(() => browser.close())
  owned.defer(() => {
    for (const { wire } of idle) wire.close()
  })
  const open = async (path: string, { user, width = 1440 }: PageOptions = {}) => {
    const tab = idle.pop() ?? (await openTab(browser, mesh.address))
    // What the page said that nobody used any more.
    tab.complaints.length = 0
    await showPage(tab, path, { ...(user !== undefined && { user }), width })
    return consolePage(tab)
  }
  return { mesh, open }
}

/** A page that tests use one after the other, each with its own session: a new one compiles the console again, which takes seconds. */
interface Tab {
  page: Page
  context: BrowserContext
  wire: Awaited<ReturnType<typeof openWire>>
  complaints: string[]
  /** The cookies of those who signed in before, by their names. */
  sessions: Map<string, Awaited<ReturnType<BrowserContext['cookies']>>>
  /** The operator has the console open, who may do everything all the time. */
  isOperators: boolean
}

const idle: Tab[] = []

/** The user who needs no other console for the next test: nobody changes what the operator may do. */
const operator = 'admin'

/** An address that does not exist. */
export const missingPath = '/no/such/page'
/** The script by which a link goes to an address. */
const push = (path: string) => `history.pushState(null, '', ${JSON.stringify(path)})`
const missingHeading = 'Page not found'

async function openTab(browser: Browser, address: string): Promise<Tab> {
  const wire = await openWire(Number(new URL(address).port))
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  page.setDefaultTimeout(hangLimitMs)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (line) => {
    // A call that the server refuses is a line of the browser too; what becomes of it is up to the test.
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource'))
      complaints.push(line.text())
  })
  return { page, context, wire, complaints, sessions: new Map(), isOperators: false }
}

/** Shows a page of the console to a user, who signs in unless the tab knows a session that has not ended. */
async function showPage(tab: Tab, path: string, { user, width = 1440 }: PageOptions): Promise<void> {
  const { page, context, wire, sessions } = tab
  await page.setViewportSize({ width, height: 900 })
  if (user === operator && tab.isOperators) return visit(page, path)
  // The streams of the page end before the session, which it would else report.
  if (tab.isOperators) await page.goto('about:blank')
  tab.isOperators = false
  await context.clearCookies()
  await context.addCookies(sessions.get(user ?? '') ?? [])
  await page.goto(new URL(path, `http://127.0.0.1:${wire.port}`).href)
  if (user === undefined) return
  const account = page.getByLabel('Account', { exact: true })
  const heading = page.locator('main h1:not(:has-text("Wadi"))').first()
  await account.or(heading).first().waitFor()
  if (await account.isVisible()) await signIn(page, user)
  await heading.waitFor()
  sessions.set(user, await context.cookies())
  tab.isOperators = user === operator
}

/**
 * Goes to an address as links do, without loading the console again, which takes longer than most tests. What is missing comes in
 * between, so that the heading is not that of the page before. @param missing its heading, in the language of the page
 */
export async function visit(page: Page, address: string, missing = missingHeading): Promise<void> {
  await visitNothing(page, missing)
  await page.evaluate(push(address))
  await page.locator(`main h1:not(:has-text("${missing}"))`).waitFor()
}

/** Goes to an address that does not exist, as `visit` does. @param missing its heading, in the language of the page */
export async function visitNothing(page: Page, missing = missingHeading): Promise<void> {
  await page.evaluate(push(missingPath))
  await page.getByRole('heading', { level: 1, name: missing, exact: true }).waitFor()
}

async function signIn(page: Page, user: string): Promise<void> {
  await page.getByLabel('Account', { exact: true }).fill(user)
  await page.getByLabel('Password', { exact: true }).fill(passwordOf(user))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

function consolePage(tab: Tab): ConsolePage {
  const { page, context, wire, complaints } = tab
  return {
    page,
    signIn: (name) => signIn(page, name),
    cut: wire.cut,
    restore: wire.restore,
    [Symbol.asyncDispose]: async () => {
      const found = complaints.splice(0)
      if (found.length === 0) {
        wire.restore()
        await forget(tab)
        idle.push(tab)
        return
      }
      await context.close()
      wire.close()
      assert.deepEqual(found, [])
    },
  }
}

/** Leaves nothing of a test in a tab but the compiled console, and the operator's on a page without anything. */
async function forget({ page, context, isOperators }: Tab): Promise<void> {
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.evaluate('localStorage.clear(), sessionStorage.clear()')
  if (isOperators) return visitNothing(page)
  // The streams of the page end before the session, which it would else report.
  await page.goto('about:blank')
  await context.clearCookies()
}

/** A way to a port of this machine that can be cut. */
async function openWire(target: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((socket) => {
    const ahead = connect(target, '127.0.0.1')
    for (const end of [socket, ahead]) {
      sockets.add(end)
      end.on('error', () => undefined)
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        ahead.destroy()
      })
    }
    if (isCut) socket.destroy()
    socket.pipe(ahead).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut: () => {
      isCut = true
      endAll()
    },
    restore: () => {
      isCut = false
    },
    close: () => {
      server.close()
      endAll()
    },
  }
}
