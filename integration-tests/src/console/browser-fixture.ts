import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAllTests } from '@wadi/testing/process-end.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { addUsers, passwordOf, type UsersMesh } from '../access/users-fixture.ts'
import { launchChromium } from './chromium.ts'
import { makeTestFolder } from '../hydration-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

interface PageOptions {
  /** Who signs in; nobody by default. */
  user?: string
  /** In pixels. */
  width?: number
}

/** The console of a mesh in a browser. */
export interface ConsoleFixture {
  mesh: UsersMesh
  /** Opens a page of the console in a browser of its own, or of the operator's; what the browser or the policy of the page complains about is an error. */
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
  const directory = await makeTestFolder(owned)
  const plugin = join(directory, 'plugin.yaml')
  await writeFile(plugin, greetingPlugin)
  const fixture = owned.use(await startMeshFixture({ plugins: [plugin] }))
  const mesh = owned.use(await addUsers(fixture))
  await mesh.admin.accounts.updatePassword({ name: 'admin', newPassword: passwordOf('admin') })
  const browser = await launchChromium()
  owned.defer(() => browser.close())
  owned.defer(() => {
    for (const { wire } of idle) wire.close()
  })
  const open = async (path: string, { user, width = 1440 }: PageOptions = {}) => {
    const tab = (user === lasting ? idle.pop() : undefined) ?? (await openTab(browser, mesh.address))
    // What the page said that nobody used any more.
    tab.complaints.length = 0
    await showPage(tab, path, { ...(user !== undefined && { user }), width })
    return consolePage(tab, user)
  }
  return { mesh, open }
}

/** A page of a browser of its own. */
interface Tab {
  page: Page
  context: BrowserContext
  wire: Awaited<ReturnType<typeof openWire>>
  complaints: string[]
}

/** The user whose page the tests share one after the other: a new one compiles the console again, which takes seconds. */
const lasting = 'admin'
const idle: Tab[] = []

async function openTab(browser: Browser, address: string): Promise<Tab> {
  const wire = await openWire(Number(new URL(address).port))
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (line) => {
    // A call that the server refuses is a line of the browser too; what becomes of it is up to the test.
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource'))
      complaints.push(line.text())
  })
  return { page, context, wire, complaints }
}

/** Shows a page of the console to a user, who signs in unless the tab has a session. */
async function showPage(
  { page, wire }: Tab,
  path: string,
  { user, width = 1440 }: PageOptions,
): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.goto(new URL(path, `http://127.0.0.1:${wire.port}`).href)
  if (user === undefined) return
  const account = page.getByLabel('Account', { exact: true })
  const heading = page.locator('main h1:not(:has-text("Wadi"))').first()
  await account.or(heading).first().waitFor()
  if (await account.isVisible()) await signIn(page, user)
  await heading.waitFor()
}

async function signIn(page: Page, user: string): Promise<void> {
  await page.getByLabel('Account', { exact: true }).fill(user)
  await page.getByLabel('Password', { exact: true }).fill(passwordOf(user))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

function consolePage(tab: Tab, user: string | undefined): ConsolePage {
  const { page, context, wire, complaints } = tab
  return {
    page,
    signIn: (name) => signIn(page, name),
    cut: wire.cut,
    restore: wire.restore,
    [Symbol.asyncDispose]: async () => {
      const found = complaints.splice(0)
      if (user === lasting && found.length === 0) {
        wire.restore()
        await page.evaluate('localStorage.clear(), sessionStorage.clear()')
        idle.push(tab)
        return
      }
      await context.close()
      wire.close()
      assert.deepEqual(found, [])
    },
  }
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
