import { openFolderTree } from '@wadi/rendering/folder-tree.ts'
import { findTools } from '@wadi/rendering/find-tools.ts'
import { inspectSource } from '@wadi/rendering/inspect-source.ts'
import { renderSource, defaultRenderLimits } from '@wadi/rendering/render-source.ts'
import { ManifestWorkers } from '@wadi/rendering/manifest-workers.ts'
import { readdirSync, existsSync } from 'node:fs'
const t0 = performance.now()
const tools = await findTools({ cacheDirectory: '/tmp/rend/cache' })
console.log(tools, performance.now() - t0)
await using workers = new ManifestWorkers()
const policy = { allowRemoteBases: false, allowRemoteCharts: false, kustomizeBuildOptions: [] }
for (const base of ['/work/shared/corpus/argocd-example-apps', '/work/shared/corpus/charts'])
  for (const name of readdirSync(base, { withFileTypes: true }).filter((e) => e.isDirectory()).map((e) => e.name)) {
    const tree = openFolderTree(base)
    const source = { path: name, options: {}, destinationNamespace: 'web', applicationName: 'x', repoURL: 'r', targetRevision: 'main' }
    try {
      const i0 = performance.now()
      const inspection = await inspectSource(tree, source, 'abc123', tools, policy)
      const i1 = performance.now()
      const r = await renderSource(tree, inspection, { source, revision: 'abc123', tools, policy, sandboxRoot: '/tmp/rend/sb', limits: defaultRenderLimits, workers })
      console.log(name, inspection.renderer, inspection.inputs.length, inspection.reads.length, (i1 - i0).toFixed(1), (performance.now() - i1).toFixed(1), r.manifests.length, r.commands, r.widened)
    } catch (e) { console.log(name, String(e)) }
  }
console.log(existsSync('/tmp/rend/sb') && readdirSync('/tmp/rend/sb'))
