import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meshOfFile } from '../mesh-fixture.ts'

const branch = 'environments/prod'

/** A package with one object and files, as entries of `files` of its component. */
function packageText(files: string): string {
  return `kind: ZarfPackageConfig
metadata: {name: web}
values: {files: [values.yaml]}
components:
  - name: web
    required: true
    manifests: [{name: m, namespace: web, files: [m.yaml]}]
    files: [${files}]
`
}

const config = '{source: app.conf, target: etc/app.conf, template: true}'
const motd = '{source: motd, target: motd, template: true}'
const dry = {
  'web/zarf.yaml': packageText(`${config}, ${motd}, {source: motd, target: /etc/motd, template: true}`),
  'web/values.yaml': 'host: db.example.com\n',
  'web/m.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n',
  'web/app.conf': 'host={{ .Values.host }}\n',
  'web/motd': 'hello\n',
}

interface Recorded {
  files?: string[]
  parameters?: { of: string; path: string; value: unknown; from: { file: string; line: number } }[]
}

const mesh = await meshOfFile()
const repository = await mesh.fixture.createRepository('files', dry)
const web = { name: 'web', repoURL: repository.url, branch, annotations: { 'wadi.dev/prune': 'true' } }
await mesh.fixture.applyAndWait(await repository.dry.head(), web)

async function record(): Promise<Recorded> {
  return JSON.parse(await repository.read(branch, 'web/hydrator.metadata')) as Recorded
}

/** Pushes a change of the dry side and waits until it is hydrated. */
async function change(files: Record<string, string | undefined>): Promise<void> {
  await mesh.fixture.hydrateTo(await repository.push(files), 'web')
}

test('templated files of a package are on the branch beside its manifests, and the record names them', async () => {
  assert.deepEqual(await repository.files(branch), [
    'hydrator.metadata',
    'web/README.md',
    'web/files/etc/app.conf',
    'web/files/motd',
    'web/hydrator.metadata',
    'web/manifest.yaml',
  ])
  assert.equal(await repository.read(branch, 'web/files/etc/app.conf'), 'host=db.example.com\n')
  assert.deepEqual((await record()).files, ['etc/app.conf', 'motd'])
})

test('the record explains the parameters of the package', async () => {
  const { parameters = [] } = await record()
  assert.deepEqual(
    parameters
      .filter(({ path }) => path === '.host')
      .map(({ path, value, from }) => [path, value, from.file, from.line]),
    [['.host', 'db.example.com', 'web/values.yaml', 1]],
  )
})

test('a comment that moves the lines of values makes no commit', async () => {
  const head = await repository.head(branch)
  await change({ 'web/values.yaml': '# Where the database is.\n\nhost: db.example.com\n' })
  assert.equal(await repository.head(branch), head)
  assert.equal((await record()).parameters?.[0]?.from.line, 1)
})

test('a changed file is a commit by itself, and brings the places of the parameters along', async () => {
  await change({ 'web/app.conf': 'host={{ .Values.host }}\nport=5432\n' })
  const head = await repository.head(branch)
  assert.deepEqual(await repository.changedFiles(head), [
    'hydrator.metadata',
    'web/README.md',
    'web/files/etc/app.conf',
    'web/hydrator.metadata',
  ])
  assert.equal((await record()).parameters?.[0]?.from.line, 3)
})

test('a file goes when the package drops it, and a foreign one stays', async () => {
  await repository.pushForeign(branch, { 'web/files/etc/theirs': 'theirs\n' })
  await change({ 'web/zarf.yaml': packageText(motd) })
  const below = (await repository.files(branch)).filter((path) => path.startsWith('web/files/'))
  assert.deepEqual(below, ['web/files/etc/theirs', 'web/files/motd'])
  assert.deepEqual((await record()).files, ['motd'])
  await change({ 'web/zarf.yaml': packageText('') })
  assert.equal('files' in (await record()), false)
  assert.equal(await repository.read(branch, 'web/files/etc/theirs'), 'theirs\n')
})

test('a directory of files alone is hydrated, and pruning takes its files with it', async () => {
  const alone = packageText(motd).replace(/^ {4}manifests.*\n/m, '')
  const sha = await repository.push({ 'web/zarf.yaml': alone })
  await mesh.fixture.hydrateTo(sha, 'web')
  assert.equal(await repository.read(branch, 'web/manifest.yaml'), '')
  assert.equal(await repository.read(branch, 'web/files/motd'), 'hello\n')
  const moved = { name: 'web', repoURL: repository.url, branch, syncPath: 'elsewhere' }
  const annotations = { 'wadi.dev/prune': 'true' }
  await mesh.fixture.apply({ ...moved, annotations })
  await mesh.fixture.hydrate('web')
  assert.deepEqual(await repository.files(branch), [
    'elsewhere/README.md',
    'elsewhere/files/motd',
    'elsewhere/hydrator.metadata',
    'elsewhere/manifest.yaml',
    'hydrator.metadata',
    'web/files/etc/theirs',
  ])
})
