import assert from 'node:assert/strict'
import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  importedApplication as application,
  sourceLines as source,
  startImport,
} from '../testing/import-fixture.ts'

const two = `# both\n${application('web', source('charts/web'))}---\n${application('plain', source('plain'))}`
const other = application('other', source('kustomized')).trimEnd()

async function startTwo() {
  const copy = await startImport({ 'apps/two.yaml': two, 'apps/other.yaml': other })
  const read = (path: string) => readFile(join(copy.root, path), 'utf8')
  return { ...copy, read }
}

test('files are written, a second run changes nothing, and the way back gives the same bytes', async () => {
  await using copy = await startTwo()
  await chmod(join(copy.root, 'apps/two.yaml'), 0o600)
  const written = await copy.wadi(['import', 'apps', '--write'])
  assert.match(written.stdout, /^written: \.wadi-import\.patch, apps\/other\.yaml, apps\/two\.yaml$/m)
  assert.match(written.stderr, /^[^\n]*argocd\/web: Argo CD has options in drySource [^\n]*\n$/)
  assert.equal(written.code, 0)
  assert.equal(written.stdout.includes('diff --git'), false)
  const text = await copy.read('apps/two.yaml')
  assert.match(text, /^# both\n[^]*releaseName: web\n[^]*---\n[^]*path: plain\n/)
  assert.equal((await stat(join(copy.root, 'apps/two.yaml'))).mode & 0o777, 0o600)
  assert.deepEqual((await readdir(join(copy.root, 'apps'))).toSorted(), ['other.yaml', 'two.yaml'])
  const record = await copy.read('.wadi-import.patch')

  const again = await copy.wadi(['import', 'apps', '--write'])
  assert.match(again.stdout, /^Application  argocd\/web +hydrated /m)
  assert.match(again.stdout, /^nothing to write$/m)
  assert.deepEqual([await copy.read('apps/two.yaml'), await copy.read('.wadi-import.patch')], [text, record])

  const shown = await copy.wadi(['import', '--revert'])
  assert.match(shown.stdout, /^-  sourceHydrator:$/m)
  assert.equal(await copy.read('apps/two.yaml'), text)
  const back = await copy.wadi(['import', '--revert', '--write'])
  assert.equal(back.stdout, 'written: apps/two.yaml, apps/other.yaml, .wadi-import.patch\n')
  assert.equal(await copy.read('apps/two.yaml'), two)
  assert.equal(await copy.read('apps/other.yaml'), other)
  assert.equal((await readdir(copy.root)).includes('.wadi-import.patch'), false)
})

test('a part goes back alone, also from a file that was edited elsewhere since', async () => {
  await using copy = await startTwo()
  await copy.wadi(['import', 'apps', '--app', 'web', '--write'])
  await copy.wadi(['import', 'apps', '--write'])
  const edited = (await copy.read('apps/two.yaml')).replace('# both', '# both of them\n# and more')
  await writeFile(join(copy.root, 'apps/two.yaml'), edited)
  const back = await copy.wadi(['import', 'apps/two.yaml', '--revert', '--write'])
  assert.equal(back.code, 0)
  assert.equal(await copy.read('apps/two.yaml'), two.replace('# both', '# both of them\n# and more'))
  assert.match(
    await copy.read('.wadi-import.patch'),
    /^diff --git a\/apps\/other\.yaml b\/apps\/other\.yaml\n[^]*$/,
  )
  await writeFile(
    join(copy.root, 'apps/other.yaml'),
    (await copy.read('apps/other.yaml')).replaceAll('other', 'x'),
  )
  const failed = await copy.wadi(['import', '--revert', '--write'])
  assert.match(
    failed.stderr,
    /apps\/other\.yaml:\d+: changed since, where import changed it; nothing goes back/,
  )
  assert.equal(failed.code, 20)
})

test('an import that ended between two files goes on, and goes back as a whole', async () => {
  await using copy = await startTwo()
  await copy.wadi(['import', 'apps', '--write'])
  // The record is the first file that is written, and each has a draft before.
  await copy.write('apps/two.yaml', two)
  await copy.write('apps/.two.yaml.wadi-import', application('draft', source('plain')))
  const shown = await copy.wadi(['import', '--revert'])
  assert.match(shown.stdout, /^\+\+\+ b\/apps\/other\.yaml$/m)
  assert.doesNotMatch(shown.stdout, /two\.yaml/)
  await copy.wadi(['import', 'apps', '--write'])
  assert.match(await copy.read('apps/two.yaml'), /sourceHydrator/)
  assert.deepEqual((await readdir(join(copy.root, 'apps'))).toSorted(), ['other.yaml', 'two.yaml'])
  assert.equal((await copy.wadi(['import', '--revert', '--write'])).code, 0)
  assert.equal(await copy.git.raw(['status', '--porcelain']), '')
})

test('what was taken back by hand does not stop the way back of a later import', async () => {
  await using copy = await startTwo()
  const first = ['import', 'apps', '--app', 'web', '--write']
  assert.equal((await copy.wadi(first)).code, 0)
  await writeFile(join(copy.root, 'apps/two.yaml'), two)
  assert.equal((await copy.wadi(first)).code, 0)
  const back = await copy.wadi(['import', '--revert', '--write'])
  assert.deepEqual([back.stderr, back.code], ['', 0])
  assert.equal(await copy.read('apps/two.yaml'), two)
  assert.equal(await copy.git.raw(['status', '--porcelain']), '')
})

test('nothing is written while something stays, unless the rest may move alone', async () => {
  await using copy = await startTwo()
  const before = await copy.read('apps/other.yaml')
  await copy.write('apps/half.yaml', application('half', `${source('plain')}  sourceHydrator: {}\n`))
  const refused = await copy.wadi(['import', 'apps', '--write'])
  assert.match(
    refused.stderr,
    /nothing was written, as 1 stays; choose others with --app or --selector, or add --partial/,
  )
  assert.deepEqual([refused.code, await copy.read('apps/other.yaml')], [20, before])
  const partial = await copy.wadi(['import', 'apps', '--write', '--partial'])
  assert.deepEqual([partial.code, (await copy.read('apps/other.yaml')).includes('sourceHydrator')], [0, true])
})

test('a new branch gets the change as one commit, and the working tree stays', async () => {
  await using copy = await startTwo()
  const { stdout, code } = await copy.wadi(['import', 'apps', '--commit', 'hydrate'])
  assert.match(
    stdout,
    /^committed to branch hydrate as [0-9a-f]{40}: \.wadi-import\.patch, apps\/other\.yaml, apps\/two\.yaml$/m,
  )
  assert.equal(code, 0)
  assert.equal(await copy.git.raw(['status', '--porcelain', '--branch']), '## main\n')
  assert.equal(await copy.git.raw(['log', '--format=%an %s', 'main..hydrate']), 'Test Hydrate Applications\n')
  assert.match(await copy.git.raw(['show', 'hydrate:apps/two.yaml']), /^# both\n[^]*releaseName: web\n/)
  const exists = await copy.wadi(['import', 'apps', '--commit', 'hydrate'])
  assert.match(exists.stderr, /--commit: branch hydrate exists; name a new one/)

  await copy.write('apps/other.yaml', `# edited\n${other}\n`)
  const edited = await copy.wadi(['import', 'apps', '--commit', 'later'])
  assert.match(edited.stderr, /apps\/other\.yaml: not committed; commit or stash them first/)
  await copy.git.checkout(['--force', 'hydrate'])
  assert.equal((await copy.wadi(['import', '--revert', '--commit', 'back'])).code, 0)
  assert.equal(await copy.git.raw(['diff', 'main', 'back']), '')
  await copy.git.raw(['apply', '--reverse', '.wadi-import.patch'])
  assert.equal(await copy.read('apps/two.yaml'), two)
})

test('a record with paths outside of the repository changes nothing', async () => {
  await using copy = await startTwo()
  const patch = (path: string) =>
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,1 +1,1 @@\n-old\n+new\n`
  await copy.write('.wadi-import.patch', patch('../outside'))
  const leaving = await copy.wadi(['import', '--revert', '--write'])
  assert.match(leaving.stderr, /"\.\.\/outside" cannot be changed: it has the component "\.\."/)
  await symlink('/tmp', join(copy.root, 'link'))
  await copy.write('.wadi-import.patch', patch('link/outside'))
  const linked = await copy.wadi(['import', '--revert', '--write'])
  assert.match(linked.stderr, /link\/outside cannot be changed: a link leads out of /)
})
