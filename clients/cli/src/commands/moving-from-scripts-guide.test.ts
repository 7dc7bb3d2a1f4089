import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { findTools } from '@wadi/renderer-tools/find-tools.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import { startGuide } from '../testing/guide-fixture.ts'

test('the commands of Moving from scripts do what it says, in their order', async () => {
  const [helm = ''] = (await findTools({ cacheDirectory: toolCache })).helm.command
  await using guide = await startGuide('moving-from-scripts.md', '/tmp/wadi-scripts')
  const outputs: string[] = []
  // A shell keeps what its user exports.
  const exported = `export WADI_ALLOW_FILE_URLS=true PATH='${dirname(helm)}':"$PATH"\n`
  for (const block of guide.blocks) {
    const { code, output } = await guide.run(`${exported}${block}`)
    assert.equal(code, 0, `${block}${output}`)
    outputs.push(output)
  }
  const [, script = '', helmfile = '', kargo = '', switched = ''] = outputs
  assert.match(script, /^argocd\/shop +equal +1 +rendered\/prod +shop /m)
  const both = /^argocd\/blog +equal +1 .*\nargocd\/shop +equal +1 /m
  assert.match(helmfile, both)
  assert.match(kargo, both)
  assert.doesNotMatch(kargo, /names no commit of the dry repository/)
  assert.match(
    switched,
    /^ {2}color: blue\n {2}replicas: "3"\nkind: ConfigMap\nmetadata:\n {2}name: blog-settings$/m,
  )
})
