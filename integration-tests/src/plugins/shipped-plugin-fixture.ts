import { unplaced } from '@wadi/fields/field-places.ts'
import assert from 'node:assert/strict'
import { mkdir, mkdtempDisposable, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { startCmpServer } from '@wadi/cmp-server/cmp-server.ts'
import { cmpServerSettings } from '@wadi/cmp-server/settings.ts'
import { type ConnectedPlugins, openPlugins } from '@wadi/plugin-client/open-plugins.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'
import { RenderFixture, testSource, testTools } from '@wadi/rendering/run/render-fixture.ts'
import { defaultRenderers } from '@wadi/rendering/renderers/renderers.ts'
import { parseSourceOptions } from '@wadi/rendering/source/source-options.ts'
import { readSettings } from '@wadi/rpc/service-settings.ts'
import { compileCache } from '@wadi/testing/quick-start.ts'

/** A parameter as a source writes it. */
export interface WrittenParameter {
  readonly name: string
  readonly string?: string
  readonly array?: readonly string[]
  readonly map?: Readonly<Record<string, string>>
}

/** A plugin of this repository, served by cmp-server as it is shipped. */
export interface ShippedPlugin extends AsyncDisposable {
  readonly plugins: ConnectedPlugins
  /** A repository to render from, natively or with the plugin. */
  repository(files: Readonly<Record<string, string>>): RenderFixture
  /** The manifests that the plugin makes of a scratch, sorted. */
  render(
    fixture: RenderFixture,
    directory: string,
    parameters?: readonly WrittenParameter[],
  ): Promise<readonly string[]>
}

const foundTools = await testTools().catch((error: unknown) => String(error))

const started = new Map<string, Promise<ShippedPlugin>>()

/** A test of a plugin, skipped on a machine without Helm and Kustomize; the tests of a file share one server. */
export function testPlugin(
  plugin: string,
  title: string,
  body: (shipped: ShippedPlugin) => Promise<void>,
): void {
  // Of the file that calls: another one that shares the process starts its own.
  after(stopStarted)
  test(title, { skip: typeof foundTools === 'string' && foundTools }, async () => {
    assert.ok(typeof foundTools !== 'string')
    const starting = started.get(plugin) ?? startShippedPlugin(plugin, foundTools)
    started.set(plugin, starting)
    await body(await starting)
  })
}

async function stopStarted(): Promise<void> {
  const all = [...started.values()]
  started.clear()
  for (const shipped of all) await (await shipped)[Symbol.asyncDispose]()
}

/** Starts the cmp-server of a plugin whose programs find the tools of this machine and this Node.js on PATH, and their code compiled. */
async function startShippedPlugin(name: string, tools: Tools): Promise<ShippedPlugin> {
  await using owned = new AsyncDisposableStack()
  const scratch = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-shipped-'))).path
  const programs = path.join(scratch, 'programs')
  const sockets = path.join(scratch, 'sockets')
  for (const made of [programs, sockets]) await mkdir(made)
  await symlink(process.execPath, path.join(programs, 'node'))
  await symlink(tools.helm.command[0] ?? '', path.join(programs, 'helm'))
  const { PATH: before = '', NODE_COMPILE_CACHE: cacheBefore } = process.env
  process.env['PATH'] = `${programs}${path.delimiter}${before}`
  process.env['NODE_COMPILE_CACHE'] = compileCache
  owned.defer(() => {
    process.env['PATH'] = before
    if (cacheBefore === undefined) delete process.env['NODE_COMPILE_CACHE']
    else process.env['NODE_COMPILE_CACHE'] = cacheBefore
  })
  const env = {
    WADI_LISTEN: `unix:${sockets}/`,
    WADI_DATA_DIR: scratch,
    WADI_SERVICE_KEY_FILE: path.join(scratch, 'service.key'),
    WADI_OPEN_SOCKET: 'true',
    WADI_LOG_LEVEL: 'error',
    WADI_PLUGIN: path.join(import.meta.dirname, '../../../plugins', name, 'plugin.yaml'),
  }
  owned.use(await startCmpServer(readSettings(cmpServerSettings, { env, argv: [] })))
  const plugins = owned.use(await openPlugins({ socketDirectory: sockets }))
  const kept = owned.move()
  return {
    plugins,
    repository: (files) => new RenderFixture(tools, files, plugins),
    render: async (fixture, directory, parameters) => {
      const plugin = { name, ...(parameters === undefined ? {} : { parameters }) }
      const options = parseSourceOptions({ plugin }, unplaced('test'), defaultRenderers)
      return (await fixture.render(testSource(directory, options))).manifests
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
