import { randomBytes } from 'node:crypto'
import { mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ConnectedPlugins, openPlugins } from '@wadi/plugin-client/open-plugins.ts'
import type { FileTree } from '@wadi/file-trees/file-tree.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import type { PluginCall } from '@wadi/rendering/renderers/plugin/plugins.ts'
import { type ArgocdPlugin, ArgocdPluginServer } from './argocd-plugin-server-fixture.ts'

/** A file that is too large for one message. */
export const largeFile = 'large.bin'

const longName = `apps/two/${'long-'.repeat(25)}größe.txt`
const files: Readonly<Record<string, string | Buffer>> = {
  'apps/one/run.sh': '#!/bin/sh\n',
  'apps/one/tool.yaml': 'a: b\n',
  'apps/two/other.yaml': 'a: b\n',
  'shared.json': '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"shared"}}',
  [longName]: '',
  [largeFile]: randomBytes(3_000_000),
}
const many = Array.from({ length: 40 }, (_, index) => `apps/many/app-${index}/tool.yaml`)

/** The plugins of a repo-server and a plugin of Argo CD beside it. */
export interface RepoServerSide extends AsyncDisposable {
  readonly plugins: ConnectedPlugins
  readonly server: ArgocdPluginServer
  /** The directory with the sockets. */
  readonly sockets: string
  readonly tree: FileTree
  /** The number of reads of each file; the first read of a file that is too large is not included. */
  readonly reads: ReadonlyMap<string, number>
  /** The entries of the tree that a plugin has: `directory/`, `file mode size` and `link -> target`. */
  readonly unpacked: readonly string[]
}

/** Starts a plugin and makes files for it; `links` are further symbolic links by their path. */
export async function startRepoServerSide(
  name: string,
  plugin: ArgocdPlugin,
  links: Readonly<Record<string, string>> = {},
): Promise<RepoServerSide> {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-side-'))).path
  const sockets = path.join(directory, 'sockets')
  const root = path.join(directory, 'repository')
  await mkdir(sockets)
  for (const file of many) await writeNew(root, file, 'a: b\n')
  for (const [file, content] of Object.entries(files)) await writeNew(root, file, content)
  const allLinks = { 'apps/one/hosts': '../../shared.json', gone: 'nowhere', ...links }
  for (const [link, target] of Object.entries(allLinks)) await symlink(target, path.join(root, link))
  const server = owned.use(await ArgocdPluginServer.start(sockets, name, plugin))
  const plugins = owned.use(await openPlugins({ socketDirectory: sockets, limits: { lookAgainMs: 0 } }))
  const reads = new Map<string, number>()
  const kept = owned.move()
  return {
    plugins,
    server,
    sockets,
    tree: countReads(openDirectoryTree(root), reads),
    reads,
    unpacked: [
      ...['apps', 'apps/many', 'apps/one', 'apps/two', ...many.map((file) => path.dirname(file))].map(
        (at) => `${at}/`,
      ),
      ...many.map((file) => `${file} 644 5`),
      ...Object.entries(files).map(
        ([file, { length }]) => `${file} ${file.endsWith('.sh') ? 755 : 644} ${length}`,
      ),
      ...Object.entries(allLinks).map(([link, target]) => `${link} -> ${target}`),
    ],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** A call about an application that may see the whole repository. */
export function pluginCall(tree: FileTree, at: string): PluginCall {
  return { tree, inputs: [''], path: at, variables: [] }
}

async function writeNew(root: string, file: string, content: string | Buffer): Promise<void> {
  const target = path.join(root, file)
  await mkdir(path.dirname(target), { recursive: true })
  await writeFile(target, content, { mode: file.endsWith('.sh') ? 0o755 : 0o640 })
}

function countReads(tree: FileTree, reads: Map<string, number>): FileTree {
  return {
    entry: (at) => tree.entry(at),
    list: (at) => tree.list(at),
    read: async (at, maxBytes) => {
      const content = await tree.read(at, maxBytes)
      reads.set(at, (reads.get(at) ?? 0) + 1)
      return content
    },
  }
}
