import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { manifestGeneratePathsAnnotation } from '@wadi/hydration/source-message.ts'
import { isHydratedAt } from '../gateway-fixture.ts'
import { type MeshFixture, startMeshFixture } from '../mesh-fixture.ts'

/**
 * Prints one ConfigMap with the size, fails for the size 13 and a scratch that holds `broken`, and notes each run in a file,
 * whose name it puts together: a file that a command names would be a part of the plugin.
 */
const scriptIn = (directory: string): string => `
directory='${directory}'
echo "$ARGOCD_APP_SOURCE_PATH" >> "$directory/runs"
if [ -e broken ] || [ "$PARAM_SIZE" = 13 ]; then echo "the size is nowhere to be found" >&2; exit 3; fi
printf '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"greeting"},"data":{"size":"%s"}}' "$PARAM_SIZE"
`

let scratch: string
let mesh: MeshFixture
before(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'wadi-plugins-'))
  const plugins = []
  for (const validation of ['compat', 'strict']) {
    const file = join(scratch, `${validation}.yaml`)
    const spec = {
      generate: { command: ['sh', '-c', scriptIn(scratch)] },
      ...(validation === 'compat' && { discover: { fileName: 'greeting.txt' } }),
      parameters: { validation, static: [{ name: 'size', itemType: 'number', required: true }] },
    }
    const metadata = { name: validation }
    await writeFile(file, JSON.stringify({ kind: 'ConfigManagementPlugin', metadata, spec }))
    plugins.push(file)
  }
  mesh = await startMeshFixture({ plugins })
})
after(async () => {
  await mesh[Symbol.asyncDispose]()
  await rm(scratch, { recursive: true, force: true })
})

/** The applications for which the plugins ran so far. */
async function runs(): Promise<string[]> {
  const text = await readFile(join(scratch, 'runs'), 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '')
}

const sourceFile = (size: string) => `# sizes are reviewed
plugin:
  parameters:
    - name: size
      string: "${size}"
`

test('a parameter that is set through the API is a commit to the dry branch, which is hydrated', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('set', {
    'web/greeting.txt': '',
    'web/.argocd-source.yaml': sourceFile('2'),
  })
  const branch = 'environments/set'
  await fixture.applyAndWait(await repository.dry.head(), { name: 'web', repoURL: repository.url, branch })
  assert.match(await repository.read(branch, 'web/manifest.yaml'), /size: "2"/)
  const metadata = JSON.parse(await repository.read(branch, 'web/hydrator.metadata')) as {
    tools: { name: string }[]
  }
  assert.deepEqual(
    metadata.tools.map(({ name }) => name),
    ['plugin compat'],
  )

  const { applications } = fixture.gateway
  const { plugin, parameters } = await applications.getParameters({ name: 'web' })
  const [size] = parameters
  assert.equal(plugin, 'compat')
  assert.deepEqual(
    [size?.name, size?.type, size?.value?.kind.value, size?.origin?.file, size?.origin?.line],
    ['size', 'number', '2', 'web/.argocd-source.yaml', 4],
  )
  const assignments = [{ target: 'size', value: '3.10' }]
  const set = await applications.setParameters({ name: 'web', changes: { assignments } })
  assert.equal(set.branch, 'main')
  assert.equal(set.drySha, await repository.head('main'))
  assert.equal(await repository.read('main', 'web/.argocd-source.yaml'), sourceFile('3.10'))
  await fixture.waitFor('web', isHydratedAt(set.drySha))
  assert.match(await repository.read(branch, 'web/manifest.yaml'), /size: "3.10"/)
  await assert.rejects(
    applications.setParameters({ name: 'web', changes: { assignments: [{ target: 'size', value: 'big' }] } }),
    /size: .*number/,
  )
  await assert.rejects(
    applications.setParameters({ name: 'web', changes: { assignments: [{ target: 'size', value: '13' }] } }),
    /plugin compat: .*failed exit status 3: the size is nowhere to be found.*--force/,
  )
  assert.equal(await repository.head('main'), set.drySha)
})

test('a plugin that fails is reported with its own message, and the next application renders', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('fails', {
    'bad/greeting.txt': '',
    'bad/broken': '',
    'bad/web.yaml': 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: never}\n',
    'good/greeting.txt': '',
    'good/.argocd-source.yaml': sourceFile('1'),
  })
  const application = (name: string) => ({ name, repoURL: repository.url, branch: `environments/${name}` })
  const message = await fixture.applyAndFail(application('bad'))
  assert.match(message, /plugin compat: .*failed exit status 3: the size is nowhere to be found/)
  assert.equal(await repository.head('environments/bad'), '')
  await fixture.applyAndWait(await repository.dry.head(), application('good'))
  assert.match(await repository.read('environments/good', 'good/manifest.yaml'), /size: "1"/)
})

test('a required parameter that is missing is a warning with a tolerant plugin and an error with a strict one', async () => {
  const { fixture } = mesh
  const repository = await fixture.createRepository('required', {
    'tolerant/greeting.txt': '',
    'strict/.argocd-source.yaml': 'plugin: {name: strict}\n',
  })
  const application = (name: string) => ({ name, repoURL: repository.url, branch: `environments/${name}` })
  await fixture.applyAndWait(await repository.dry.head(), application('tolerant'))
  const status = await fixture.hydrate('tolerant')
  assert.match(status.warnings?.join('\n') ?? '', /plugin compat: .*size.*required/)
  const earlier = await runs()
  assert.match(await fixture.applyAndFail(application('strict')), /plugin strict: .*size.*required/)
  assert.deepEqual(await runs(), earlier)
})

test('of many applications, each tried twice at first, only that one runs again whose named paths changed', async () => {
  const { fixture } = mesh
  const names = Array.from({ length: 8 }, (_, index) => `many-${index}`)
  const files = names.map((name): [string, string] => [`${name}/greeting.txt`, name])
  const repository = await fixture.createRepository('many', {
    ...Object.fromEntries(files),
    'shared/size.txt': '1',
  })
  const earlier = (await runs()).length
  const applications = names.map((name) => ({
    name,
    repoURL: repository.url,
    branch: 'environments/many',
    annotations: { [manifestGeneratePathsAnnotation]: '.;/shared' },
  }))
  await fixture.applyAndWait(await repository.dry.head(), ...applications)
  const first = (await runs()).slice(earlier)
  assert.deepEqual(first.toSorted(), [...names, ...names].toSorted())
  const drySha = await repository.push({ 'many-3/greeting.txt': 'changed', 'elsewhere.txt': 'of no matter' })
  await fixture.hydrateTo(drySha, 'many-3')
  assert.deepEqual((await runs()).slice(earlier + first.length), ['many-3'])
})

test('the plugins are listed with what they announce', async () => {
  const { plugins } = mesh.fixture.gateway
  const listed = (await plugins.listPlugins({})).plugins
  assert.deepEqual(
    listed.map(({ name, discovery, error, parameters }) => [name, discovery, error, parameters[0]?.name]),
    [
      ['compat', 'fileName greeting.txt', '', 'size'],
      ['strict', '', '', 'size'],
    ],
  )
  assert.equal((await plugins.getPlugin({ name: 'strict' })).plugin?.name, 'strict')
  await assert.rejects(plugins.getPlugin({ name: 'none' }), /compat/)
})
