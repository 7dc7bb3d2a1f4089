import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { plainOutput, plainPlan } from '@wadi/rendering/plan/plan.ts'
import { type RendererWithOptions, isAskedFor, optionsFor } from '@wadi/rendering/plan/renderer.ts'
import { defaultRenderers } from '@wadi/rendering/renderers/renderers.ts'
import { z } from 'zod'
import { meshOfFile } from './mesh-fixture.ts'

const noteOptions = z.strictObject({ file: z.string().optional() })

/** Makes a ConfigMap of a directory's note, which is in `note.txt` unless the options name another file. */
const notes: RendererWithOptions<'notes', typeof noteOptions> = {
  name: 'notes',
  options: { schema: noteOptions },
  noun: 'a note',
  trialValues: 'none',
  detects: async (tree, path) => (await tree.entry(`${path}/note.txt`)) !== undefined,
  async plan(source) {
    if (!(await isAskedFor(notes, source))) return undefined
    const { path, inputs } = source
    const { file: name = 'note.txt' } = optionsFor(notes, source.options) ?? {}
    const file = `${path}/${name}`
    await inputs.add(file)
    return {
      ...plainPlan,
      renderer: notes.name,
      inputs: inputs.paths(),
      identity: '1.0.0',
      run: async (tree) => {
        const note = (await tree.read(file, 1024)).toString().trim()
        const metadata = { name: path.replaceAll('/', '-') }
        const text = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { note } })
        return {
          ...plainOutput,
          result: { files: [{ file, text, jsonnet: false }] },
          record: create(RenderRecordSchema, { tools: [{ name: notes.name, version: '1.0.0' }] }),
        }
      },
    }
  },
}

const branch = 'environments/prod'

const dry = {
  'apps/hello/note.txt': 'hello\n',
  'apps/chosen/.argocd-source.yaml': 'notes: {file: other.txt}\n',
  'apps/chosen/other.txt': 'chosen\n',
  'apps/odd/.argocd-source.yaml': 'notes:\n  file: [other.txt]\n',
  'apps/plain/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
  'apps/shop/workload.yaml':
    'apiVersion: carto.run/v1alpha1\nkind: Workload\nmetadata: {name: shop, namespace: team, labels: {type: web}}\n',
  'apps/shop/chain.yaml': `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {type: web}
  resources: [{name: note, templateRef: {kind: ClusterTemplate, name: note}}]
---
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: note}
spec:
  template: {apiVersion: wadi.dev/v1alpha1, kind: Render, metadata: {name: note}, spec: {path: apps/hello}}
`,
}

const mesh = await meshOfFile({ repoServer: { renderers: [notes, ...defaultRenderers] } })
const repository = await mesh.fixture.createRepository('notes', dry)
const applications = ['hello', 'chosen', 'plain', 'shop'].map((name) => ({
  name,
  repoURL: repository.url,
  path: `apps/${name}`,
  syncPath: name,
  branch,
}))
await mesh.fixture.applyAndWait(await repository.dry.head(), ...applications)

test('a renderer that is given from outside renders what it detects, and the others the rest', async () => {
  assert.match(await repository.read(branch, 'hello/manifest.yaml'), /^data:\n {2}note: hello\n/m)
  assert.match(await repository.read(branch, 'plain/manifest.yaml'), /name: a\n/)
  assert.match(await repository.read(branch, 'hello/hydrator.metadata'), /notes/)
})

test('its own options choose it and decide what it renders', async () => {
  assert.match(await repository.read(branch, 'chosen/manifest.yaml'), /^data:\n {2}note: chosen\n/m)
})

test('an option of a type that its schema does not have is an error with file and line', async () => {
  const odd = { name: 'odd', repoURL: repository.url, path: 'apps/odd', branch: 'environments/odd' }
  assert.match(
    await mesh.fixture.applyAndFail(odd),
    /apps\/odd\/\.argocd-source\.yaml:2: notes\.file must be a string, not a list/,
  )
})

test('a Render of a workload leads to it as well', async () => {
  const manifest = await repository.read(branch, 'shop/manifest.yaml')
  assert.match(manifest, /note: hello\n/)
  assert.match(manifest, /namespace: team\n/)
})

test('a change of its input is hydrated for all that read it', async () => {
  await mesh.fixture.hydrateTo(await repository.push({ 'apps/hello/note.txt': 'bye\n' }), 'hello')
  assert.match(await repository.read(branch, 'hello/manifest.yaml'), /note: bye\n/)
  assert.match(await repository.read(branch, 'shop/manifest.yaml'), /note: bye\n/)
})
