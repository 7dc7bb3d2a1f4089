import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { startGuide } from '../testing/guide-fixture.ts'

test('the commands of Moving from Kargo do what it says, in their order', async () => {
  const [helm = ''] = (await findTools({ cacheDirectory: toolCache })).helm.command
  await using guide = await startGuide('moving-from-kargo.md', '/tmp/wadi-kargo')
  const outputs: string[] = []
  // A shell keeps what its user exports.
  const exported = `export WADI_ALLOW_FILE_URLS=true PATH='${dirname(helm)}':"$PATH"\n`
  for (const block of guide.blocks) {
    const { code, output } = await guide.run(`${exported}${block}`)
    assert.equal(code, 0, `${block}${output}`)
    outputs.push(output)
  }
  const [, compared = '', , promoted = ''] = outputs
  assert.match(compared, /^argocd\/web +equal +1 +stage\/prod /m)
  const change =
    /^- +- image: registry\.example\.com\/web:1\.4\.2\n\+ +- image: registry\.example\.com\/web:1\.4\.3$/m
  assert.match(promoted, change)
})
