import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import { hydrateEach, pushLinks } from './hydrate-each-fixture.ts'

const canary = 'canary-of-another-repository'

interface Attack {
  files?: Record<string, string>
  links?: Record<string, string>
  /** The message of the failure; without it the link is passed over. */
  message?: RegExp
}

test('links and imports of directories, kustomizations and Jsonnet lead to no file outside of the commit', async () => {
  await using mesh = await startMeshFixture()
  const { fixture } = mesh
  const outside = join(fixture.directory, 'other')
  const secret = join(fixture.directory, 'other.yaml')
  await writeFile(secret, configMap('stolen', canary))
  const other = await fixture.createRepository('other', { 'a.yaml': configMap('stolen', canary) })
  const own = { 'a.yaml': configMap('own', '1') }
  const kustomization = (text: string): Record<string, string> => ({ ...own, 'kustomization.yaml': text })
  const attacks: Record<string, Attack> = {
    file: { files: own, links: { 'b.yaml': secret }, message: /absolute path/ },
    password: { files: own, links: { 'b.yaml': `${'../'.repeat(12)}etc/passwd` }, message: /outside/ },
    checkout: { files: own, links: { 'b.yaml': join(other.dry.directory, 'a.yaml') }, message: /absolute/ },
    mirrors: { files: own, links: { 'b.yaml': join(fixture.directory, 'data') }, message: /absolute path/ },
    git: { files: own, links: { 'b.yaml': '../.git/config' }, message: /does not exist/ },
    'own-loop': { files: own, links: { 'b.yaml': 'b.yaml' }, message: /loops/ },
    'two-loop': { files: own, links: { 'b.yaml': 'c.yaml', 'c.yaml': 'b.yaml' }, message: /loops/ },
    directory: { files: own, links: { more: outside } },
    'directory-loop': { files: own, links: { more: '.', up: '..' } },
    resource: {
      files: kustomization('resources: [a.yaml, b.yaml]'),
      links: { 'b.yaml': secret },
      message: /absolute/,
    },
    base: { files: kustomization('resources: [base]'), links: { base: outside }, message: /absolute path/ },
    'base-loop': { files: kustomization('resources: [base]'), links: { base: '.' }, message: /loop|holds/ },
    path: { files: kustomization(`resources: [${'../'.repeat(12)}etc/passwd]`), message: /outside/ },
    generator: {
      files: kustomization(`configMapGenerator: [{name: x, files: [${'../'.repeat(12)}etc/passwd]}]`),
      message: /outside/,
    },
    'generator-link': {
      files: kustomization('configMapGenerator: [{name: x, files: [b.txt]}]'),
      links: { 'b.txt': '/etc/passwd' },
      message: /absolute path/,
    },
    import: { files: { 'a.jsonnet': `importstr '${'../'.repeat(12)}etc/passwd'` }, message: /outside/ },
    'import-absolute': { files: { 'a.jsonnet': "importstr '/etc/passwd'" }, message: /etc\/passwd/ },
    'import-link': {
      files: { 'a.jsonnet': "import 'b.libsonnet'" },
      links: { 'b.libsonnet': secret },
      message: /absolute path/,
    },
    'import-built': { files: { 'a.jsonnet': "import '/etc' + '/passwd'" }, message: /a\.jsonnet/ },
  }
  const directories = Object.keys(attacks)
  const placed = (part: 'files' | 'links'): Record<string, string> =>
    Object.fromEntries(
      directories.flatMap((directory) =>
        Object.entries(attacks[directory]?.[part] ?? {}).map(([path, text]) => [
          `${directory}/${path}`,
          text,
        ]),
      ),
    )
  const repository = await fixture.createRepository('sources', placed('files'))
  await pushLinks(repository, placed('links'))
  const plain = directories.filter(
    (directory) => attacks[directory]?.files?.['kustomization.yaml'] === undefined,
  )
  const outcomes = new Map([
    ...(await hydrateEach(fixture, repository, plain, { directory: { recurse: true } })),
    ...(await hydrateEach(
      fixture,
      repository,
      directories.filter((directory) => !plain.includes(directory)),
    )),
  ])
  for (const [directory, { message }] of Object.entries(attacks)) {
    const outcome = outcomes.get(directory)
    assert.ok(
      !JSON.stringify(outcome).includes(canary) && !JSON.stringify(outcome).includes('root:x:0'),
      directory,
    )
    if (message === undefined) {
      assert.equal(outcome?.phase, 'Hydrated', `${directory}: ${outcome?.message}`)
      assert.deepEqual(outcome.manifest.match(/^kind:/gm)?.length, 1, directory)
    } else {
      assert.deepEqual([outcome?.phase, outcome?.manifest], ['Failed', ''], directory)
      assert.match(outcome?.message ?? '', message, directory)
    }
  }
})
