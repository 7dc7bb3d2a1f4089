import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { PluginCall } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { openPlugins } from './open-plugins.ts'
import { type PluginBehaviour, startPluginServer } from './plugin-server-fixture.ts'
import { type TestTree, writeTestTree } from './tree-fixture.ts'

/** A directory of sockets, a way to start plugins in it, and files for calls. */
export async function startMesh(files: Parameters<typeof writeTestTree>[0] = { 'app/a.yaml': 'a', b: 'b' }) {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-plugins-'))).path
  const tree = owned.use(await writeTestTree(files))
  const plugins = owned.use(await openPlugins({ socketDirectory: directory, limits: { lookAgainMs: 0 } }))
  const kept = owned.move()
  const start = async (file: string, behaviour: PluginBehaviour = {}) =>
    kept.use(await startPluginServer(`unix:${directory}/${file}`, behaviour))
  return { directory, tree, plugins, start, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** A call about the application in `app` that may see everything. */
export function callOf(tree: TestTree, more: Partial<PluginCall> = {}): PluginCall {
  return { tree: tree.open(), inputs: [''], path: 'app', variables: [], ...more }
}
