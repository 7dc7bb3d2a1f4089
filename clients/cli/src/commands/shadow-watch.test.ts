import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { compileCache, nodeOptions } from '@wadi/testing/quick-start.ts'
import { mainFile } from '../testing/run-wadi-fixture.ts'
import { shadowedApplication, startShadow } from '../testing/shadow-fixture.ts'

const manifest = (value: string) =>
  `apiVersion: v1\ndata:\n  value: ${value}\nkind: ConfigMap\nmetadata:\n  name: web\n`

function startWatch({ checkout, cacheHome }: Awaited<ReturnType<typeof startShadow>>, ...more: string[]) {
  const args = ['shadow', '--watch', '--interval', '1s', ...more]
  const environment = { HOME: checkout, XDG_CACHE_HOME: cacheHome, NODE_COMPILE_CACHE: compileCache }
  const watching = spawn(process.execPath, [...nodeOptions, mainFile, ...args], {
    cwd: checkout,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
  })
  const lines = createInterface({ input: watching.stdout })[Symbol.asyncIterator]()
  const messages = createInterface({ input: watching.stderr })[Symbol.asyncIterator]()
  const lineWith = async (text: RegExp, from = lines): Promise<string> => {
    for (;;) {
      const { value = '', done } = await from.next()
      if (done) throw new Error(`the watch ended without ${String(text)}`)
      if (text.test(value)) return value
    }
  }
  return { watching, lineWith, messages }
}

test('a watch prints each new commit once, counts them, serves metrics, and ends with the last outcome', async () => {
  await using shadow = await startShadow()
  const drySha = await shadow.pushDry({
    'web/all.yaml': manifest('one'),
    'apps/web.json': shadowedApplication('web', shadow.url),
  })
  const before = Math.floor(Date.now() / 1000)
  await shadow.pushHydrated({ 'web/manifest.yaml': manifest('one') }, `Hydrate ${drySha}`)
  const args = ['apps', '--metrics', '127.0.0.1:0']
  const { watching, lineWith, messages } = startWatch(shadow, ...args)
  const [address = ''] = /http:\S+/.exec(await lineWith(/metrics are at /, messages)) ?? []
  const metric = async (name: string): Promise<string> => {
    const text = await (await fetch(address)).text()
    return (
      text
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.split(' ')
        .at(-1) ?? ''
    )
  }
  assert.match(await lineWith(/^argocd\/web /), /^argocd\/web {3}identical {2}1 .* 1 {9}0$/)
  assert.equal(await metric('wadi_shadow_applications{outcome="identical"'), '1')
  const newest = Number(await metric('wadi_shadow_newest_commit_timestamp_seconds'))
  const last = Number(await metric('wadi_shadow_last_comparison_timestamp_seconds'))
  assert.ok(before <= newest && newest <= last, `${before} ${newest} ${last}`)
  await shadow.pushHydrated({ 'web/manifest.yaml': manifest('two') }, `Hydrate ${drySha}`)
  assert.match(await lineWith(/^argocd\/web /), /^argocd\/web {3}differs {2}1 .* 2 {9}1$/)
  await lineWith(/^\+ {2}value: one$/)
  assert.equal(await metric('wadi_shadow_applications{outcome="identical"'), '0')
  assert.equal(await metric('wadi_shadow_comparisons_total{outcome="differs"'), '1')
  watching.kill('SIGINT')
  const [code] = (await once(watching, 'exit')) as [number]
  assert.equal(code, 1)
})

test('a watch without an Application waits for one, and ends with an error if there is none any more', async () => {
  await using shadow = await startShadow()
  const drySha = await shadow.pushDry({ 'web/all.yaml': manifest('one') })
  await shadow.pushHydrated({ 'web/manifest.yaml': manifest('one') }, `Hydrate ${drySha}`)
  const { watching, lineWith, messages } = startWatch(shadow)
  await lineWith(/has no Application with sourceHydrator/, messages)
  await shadow.pushDry({ 'apps/web.json': shadowedApplication('web', shadow.url) })
  await lineWith(/^argocd\/web   identical /)
  await shadow.pushDry({ 'apps/web.json': undefined })
  await lineWith(/has no Application with sourceHydrator/, messages)
  watching.kill('SIGINT')
  const [code] = (await once(watching, 'exit')) as [number]
  assert.equal(code, 2)
})

test('flags that say nothing together are refused', async () => {
  await using shadow = await startShadow()
  const alone = await shadow.shadow('--metrics', '127.0.0.1:0')
  assert.match(alone.stderr, /--metrics needs --watch/)
  assert.equal(alone.code, 2)
  assert.match((await shadow.shadow('--interval', '0s')).stderr, /Give a duration from 1s to 7d\./)
  await shadow.pushDry({ 'web/all.yaml': manifest('one') })
  assert.match((await shadow.shadow()).stderr, /\. has no Application with sourceHydrator that is asked for/)
})
