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
  isDark?: boolean
  /** In pixels. */
  width?: number
}

/** The console of a mesh in a browser. */
export interface ConsoleFixture {
  mesh: UsersMesh
  /** Opens a page of the console in a browser of its own; what the browser or the policy of the page complains about is an error. */
  open: (path: string, options?: PageOptions) => Promise<ConsolePage>
}

/** A page of the console; disposal closes it and fails when its scripts or its policy reported an error. */
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
  const sessions: Sessions = new Map()
  return { mesh, open: (path, options) => openPage(browser, sessions, new URL(path, mesh.address), options) }
}

/** What browsers of those keep whose session no test ends, so that they sign in once. */
type Sessions = Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>
const lasting = 'admin'

async function openPage(
  browser: Browser,
  sessions: Sessions,
  url: URL,
  { user, isDark = false, width = 1440 }: PageOptions = {},
): Promise<ConsolePage> {
  const wire = await openWire(Number(url.port))
  const known = user === undefined ? undefined : sessions.get(user)
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: isDark ? 'dark' : 'light',
    locale: 'en-GB',
    ...(known && { storageState: known }),
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (line) => {
    // A call that the server refuses is a line of the browser too; what becomes of it is up to the test.
    if (line.type() === 'error' && !line.text().startsWith('Failed to load resource'))
      complaints.push(line.text())
  })
  const start = new URL(url)
  start.port = String(wire.port)
  await page.goto(start.href)
  const signIn = async (name: string) => {
    await page.getByLabel('Account').fill(name)
    await page.getByLabel('Password', { exact: true }).fill(passwordOf(name))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  if (user !== undefined) {
    if (!known) await signIn(user)
    await page.locator('main h1:not(:has-text("Wadi"))').first().waitFor()
    if (user === lasting) sessions.set(user, await context.storageState())
  }
  return {
    page,
    signIn,
    cut: wire.cut,
    restore: wire.restore,
    [Symbol.asyncDispose]: async () => {
      await context.close()
      wire.close()
      assert.deepEqual(complaints, [])
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
