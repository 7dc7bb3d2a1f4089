import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { asManifestFile, renderBare } from './bare-tool-fixture.ts'
import { isHydratedAt } from './gateway-fixture.ts'
import { startMeshFixture } from './mesh-fixture.ts'

const corpus = join(import.meta.dirname, '../../../shared/corpus')
const skip = existsSync(corpus) ? false : 'the corpus of public examples is not beside this checkout'

test('public charts and examples are hydrated to what the bare tools make of them', { skip }, async () => {
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const repository = await fixture.createRepository('corpus', { 'README.md': 'Examples.\n' })
  const root = repository.dry.directory
  for (const place of ['charts', 'argocd-example-apps'])
    cpSync(join(corpus, place), root, { recursive: true })
  await repository.dry.git.raw(['add', '--all', '--force'])
  const drySha = await repository.push({ 'README.md': 'Examples of others.\n' })
  // Its dependency is downloaded, which is refused; the plugins' tools are not here.
  const names = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['.git', 'helm-dependency', 'plugins'].includes(entry.name))
    .map(({ name }) => name)
  const branch = 'environments/corpus'
  for (const name of names) await fixture.apply({ name, repoURL: repository.url, branch })
  for (const name of names) await fixture.waitFor(name, isHydratedAt(drySha))
  let compared = 0
  for (const name of names) {
    const hydrated = await repository.read(branch, `${name}/manifest.yaml`)
    const tool = toolFor(join(root, name))
    if (tool === undefined) {
      assert.ok(asManifestFile(hydrated, name).count > 0, name)
      continue
    }
    const args = tool === 'helm' ? ['template', name, '--include-crds'] : [name]
    const bare = await renderBare(tool, args, root)
    const again = await renderBare(tool, args, root)
    // Some charts make a new password or certificate every time; nobody can render those twice alike.
    if (bare.text === again.text) assert.equal(hydrated, bare.text, name)
    else assert.equal(asManifestFile(hydrated, name).count, bare.count, name)
    compared += 1
  }
  assert.ok(compared >= 8, `${compared} compared`)
})

function toolFor(directory: string): 'helm' | 'kustomize' | undefined {
  if (existsSync(join(directory, 'Chart.yaml'))) return 'helm'
  return existsSync(join(directory, 'kustomization.yaml')) ? 'kustomize' : undefined
}
