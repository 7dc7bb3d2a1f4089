import assert from 'node:assert/strict'
import { mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkoutChanges, inCheckout } from '@wadi/file-trees/checkout-changes.ts'
import { createRepository } from '@wadi/testing/git-repository.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { RenderFixture, testSource, testTools } from './render-fixture.ts'

test('files are changed as git changes them in a checkout', async () => {
  const attributes = {
    '.gitattributes': `# comment eol=crlf
* text=auto eol=crlf
*.bin binary
"with space.txt" -text
*.id ident
/only.lf eol=lf
a/**/deep.txt -text
{x}.txt -text
back?.txt !eol
[broken eol=lf
`,
    'a/.gitattributes': '*.txt text\n*.sh eol=lf\nplain !text !eol\n*.u16 working-tree-encoding=UTF-16LE\n',
  }
  const text = 'one\n$Id$ $Id: 12$\ntwo\n'
  const names = [
    'one.txt',
    'zero.bin',
    'with space.txt',
    'some.id',
    'only.lf',
    '{x}.txt',
    'x.txt',
    'back1.txt',
  ]
  const inA = [
    'a/one.txt',
    'a/run.sh',
    'a/plain',
    'a/wide.u16',
    'a/b/deep.txt',
    'a/b/c/deep.txt',
    'a/deep.txt',
  ]
  const files: Record<string, string> = {
    ...attributes,
    ...Object.fromEntries([...names, ...inA, 'b/only.lf', 'b/some.id'].map((name) => [name, text])),
    'mixed.txt': 'a\r\nb\n',
    'a/mixed.txt': 'a\r\nb\n',
    'zero.txt': 'a\0\nb\n',
    'a/zero.txt': 'a\0\nb\n',
  }
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-checkout-'))
  await createRepository(directory.path)
  const git = async (args: string[], input?: string) => (await runTestGit(directory.path, args, input)).trim()
  for (const [path, content] of Object.entries(files)) {
    const id = await git(['hash-object', '-w', '--stdin', '--no-filters'], content)
    await git(['update-index', '--add', '--cacheinfo', `100644,${id},${path}`])
  }
  await git(['checkout-index', '--all', '--force'])
  const given = Object.entries(attributes).map(([path, rules]) => ({
    directory: path === '.gitattributes' ? '' : 'a',
    text: rules,
  }))
  const changes = checkoutChanges(Object.keys(files), given)
  const changed: string[] = []
  for (const [path, content] of Object.entries(files)) {
    const id = await git(['rev-parse', `:${path}`])
    const change = changes.get(path)
    const stored = Buffer.from(content)
    const ours = change ? inCheckout(stored, change, id) : stored
    assert.deepEqual(ours, await readFile(join(directory.path, path)), path)
    if (!ours.equals(stored)) changed.push(path)
  }
  const same = [
    'zero.bin',
    'with space.txt',
    'only.lf',
    '{x}.txt',
    'back1.txt',
    'mixed.txt',
    'zero.txt',
    'a/run.sh',
    'a/plain',
  ]
  assert.deepEqual(
    changed,
    Object.keys(files).filter((path) => !same.includes(path)),
  )
})

const tools = await testTools()
const attributes = '* text=auto eol=crlf\nraw.* -text\n'
const remedy =
  'commit the files as they must be, with -text in .gitattributes, or remove the attribute that changes them'

test('objects that Argo CD makes otherwise from a checkout are named, for the files that decide it', async () => {
  await using fixture = new RenderFixture(tools, {
    '.gitattributes': attributes,
    'kustomized/kustomization.yaml':
      'resources: [plain.yaml]\ngeneratorOptions: {disableNameSuffixHash: true}\n' +
      'configMapGenerator: [{name: a, files: [start.ps1, raw.ps1]}]\n',
    'kustomized/plain.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata:\n  text: |\n    a\n    b\n',
    'kustomized/start.ps1': 'a\nb\n',
    'kustomized/raw.ps1': 'a\nb\n',
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/templates/a.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  sum: {{ .Files.Get "conf/x.ini" | sha256sum }}\n',
    'chart/conf/x.ini': '[a]\nb=c\n',
    'chart/conf/.gitattributes': 'x.ini -text\n',
  })
  const warnings = async (path: string) => (await fixture.render(testSource(path))).record.warnings
  const inputs = 'kustomized/kustomization.yaml, kustomized/plain.yaml, kustomized/start.ps1'
  assert.deepEqual(await warnings('kustomized'), [
    `Argo CD renders ${inputs} as a checkout has them (.gitattributes), and Wadi as git stores them, so this differs: ConfigMap a: data["start.ps1"]; ${remedy}`,
  ])
  assert.deepEqual(await warnings('chart'), [])
  fixture.write('chart/conf/.gitattributes', '')
  assert.match((await warnings('chart')).join('\n'), /^Argo CD renders .*: ConfigMap c: data\.sum; /)
  const before = (await fixture.inspect(testSource('kustomized'))).fingerprint
  fixture.write('.gitattributes', '* text=auto\n')
  assert.deepEqual([await warnings('kustomized'), await warnings('chart')], [[], []])
  assert.notEqual((await fixture.inspect(testSource('kustomized'))).fingerprint, before)
})

test('values that are random at each render are no difference of a checkout', async () => {
  await using fixture = new RenderFixture(tools, {
    '.gitattributes': attributes,
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/templates/a.yaml':
      'apiVersion: v1\nkind: Secret\nmetadata: {name: c}\nstringData: {password: "{{ randAlphaNum 16 }}"}\n',
  })
  assert.deepEqual((await fixture.render(testSource('chart'))).record.warnings, [])
})
