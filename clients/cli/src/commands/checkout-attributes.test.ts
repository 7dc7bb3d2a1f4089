import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

test('files that .gitattributes changes in a checkout are rendered as git stores them', async () => {
  await using copy = await startWorkingCopy({
    'app/.gitattributes':
      '*.ps1 text eol=crlf\n*.id ident\n*.u16 working-tree-encoding=UTF-16LE\nraw.ps1 -text\n*.md eol=lf\n',
    'app/kustomization.yaml':
      'generatorOptions: {disableNameSuffixHash: true}\n' +
      'configMapGenerator:\n  - {name: a, files: [start.ps1, raw.ps1, new.ps1, version.id, wide.u16]}\n',
    'app/start.ps1': 'a\r\nb\r\n',
    'app/raw.ps1': 'a\r\n',
    'app/version.id': '$Id: 055c8729cdcc372500a08db659c045e16c4409fb $\n',
    'app/wide.u16': 'w\0\n\0',
  })
  await copy.write('app/new.ps1', 'new\r\n')
  const { stdout, stderr, code } = await copy.wadi(['render', 'app'])
  assert.equal(code, 0, stderr)
  assert.match(
    stderr,
    /^WARN\[\d+\] Argo CD renders app\/new\.ps1, app\/start\.ps1, app\/version\.id and 1 more as a checkout has them [^\n]*: ConfigMap a: [^\n]*$/m,
  )
  assert.equal(
    stdout,
    `apiVersion: v1
data:
  new.ps1: |
    new
  raw.ps1: "a\\r\\n"
  start.ps1: |
    a
    b
  version.id: |
    $Id$
  wide.u16: |
    w
kind: ConfigMap
metadata:
  name: a
`,
  )
  assert.equal(await readFile(join(copy.root, 'app/start.ps1'), 'utf8'), 'a\r\nb\r\n')
})
