import assert from 'node:assert/strict'
import { rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { minimalChart } from '@wadi/charts/chart-server-fixture.ts'
import { helmOfCharts } from '@wadi/gotemplate/engine-versions.ts'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { rendererFiles, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { isHydratedAt } from './gateway-fixture.ts'
import { makeTestDirectory } from './hydration-fixture.ts'
import { type MeshFixture, startMeshFixture } from './mesh-fixture.ts'

const skip = renderersMissing ?? false
const names = ['one', 'two', 'three']

let owned: AsyncDisposableStack
let mesh: MeshFixture
let helm: string
let target: string
let bundled: string
before(async () => {
  owned = new AsyncDisposableStack()
  if (skip !== false) return
  const directory = await makeTestDirectory(owned)
  helm = join(directory, 'helm')
  target = join(directory, 'chosen')
  bundled = (await findTools({ cacheDirectory: toolCache })).helm.command[0] ?? ''
  await place(target, rendererFiles.helm3)
  await handOver('first')
  mesh = owned.use(await startMeshFixture({ environment: { WADI_HELM: helm } }))
})
after(async () => {
  await owned.disposeAsync()
})

/** Puts a link in the place of a program, at once, as an upgrade does. */
async function place(file: string, program: string): Promise<void> {
  await symlink(program, `${file}.new`)
  await rename(`${file}.new`, file)
}

/** Makes the helm a script that runs whatever is chosen. */
async function handOver(comment: string): Promise<void> {
  await writeFile(`${helm}.new`, `#!/bin/sh\n# ${comment}\nexec ${target} "$@"\n`, { mode: 0o755 })
  await rename(`${helm}.new`, helm)
}

function charts(replicas: number): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) =>
      Object.entries(
        minimalChart(name, '1.0.0', {
          'values.yaml': `replicas: ${replicas}\n`,
          'templates/helm.yaml':
            'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Chart.Name }}-helm"}\ndata: {renderedBy: "{{ .Capabilities.HelmVersion.Version }}"}\n',
        }),
      ).map(([path, text]) => [`${name}/${path}`, text.toString()]),
    ),
  )
}

test(
  'a Helm that is replaced while the services run is used from then on, and no commit holds files of two versions',
  { skip },
  async () => {
    const { fixture } = mesh
    const repository = await fixture.createRepository('replaced', charts(1))
    const branch = 'environments/replaced'
    const applications = names.map((name) => ({
      name: `replaced-${name}`,
      path: name,
      syncPath: name,
      repoURL: repository.url,
      branch,
    }))
    await fixture.applyAndWait(await repository.dry.head(), ...applications)
    const versions = async (commit = branch): Promise<string[]> =>
      await Promise.all(
        names.flatMap((name) => [
          repository.read(commit, `${name}/hydrator.metadata`).then((text) => {
            const { tools } = JSON.parse(text) as { tools: { version: string }[] }
            return tools[0]?.version ?? ''
          }),
          repository
            .read(commit, `${name}/manifest.yaml`)
            .then((text) => /^ {2}renderedBy: (\S+)$/m.exec(text)?.[1] ?? ''),
        ]),
      )
    assert.equal(new Set(await versions()).size, 1)
    const upgrades: [version: string, upgrade: () => Promise<void>][] = [
      ['v4.3.1', () => place(target, rendererFiles.helm4)],
      [helmOfCharts, () => place(helm, bundled)],
    ]
    for (const [index, [version, upgrade]] of upgrades.entries()) {
      await upgrade()
      const drySha = await repository.push(charts(index + 2), 'Scale')
      await fixture.poll()
      for (const { name } of applications) await fixture.waitFor(name, isHydratedAt(drySha))
      assert.deepEqual(new Set(await versions()), new Set([version]))
    }
    for (const commit of await repository.commits(branch))
      assert.equal(new Set(await versions(commit)).size, 1)
  },
)
