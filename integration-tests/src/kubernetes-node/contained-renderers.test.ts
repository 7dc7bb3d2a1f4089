import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { nodeMissing } from '@wadi/testing/kubernetes-node/node-programs.ts'
import { Release } from './release-fixture.ts'
import { sharedNode } from './shared-node-fixture.ts'

const missing = nodeMissing()
if (missing !== undefined) console.error(`renderers are not attacked in pods: ${missing}`)

/** Runs each script as repo-server runs a renderer, and prints what came of it. */
const program = `
  const { openContainment } = await import('/wadi/libs/containment/src/containment.ts')
  const scripts = JSON.parse(process.argv[1])
  await using containment = await openContainment({
    directory: '/tmp/attack-own', memoryBytes: 2 ** 28, programDirectories: process.env.PATH.split(':'), hidden: ['/data'], warn: console.error,
  })
  const directory = '/tmp/attack'
  ;(await import('node:fs')).mkdirSync(directory)
  const outputs = {}
  for (const [name, script] of Object.entries(scripts)) {
    const { output, errorOutput } = await containment.run(['/bin/sh', '-c', script], {
      shownAs: 'the program', cwd: directory, environment: { PATH: process.env.PATH }, timeoutMs: 60_000, graceMs: 0, outputBytes: 2 ** 20,
      signal: undefined, clean: (text) => text, cpuSeconds: 60, processes: 100, fileBytes: 2 ** 20,
      isolation: { view: 'system', directory, network: false },
    })
    outputs[name] = output.toString() + errorOutput
  }
  const { isolatedBy, notIsolatedBecause } = containment
  console.log(JSON.stringify({ isolatedBy, notIsolatedBecause, outputs }))
`

/** Each writes a line for what it reached. */
const attacks = {
  data: 'cat /data/state.db > /dev/null && echo reached',
  token: 'cat /var/run/secrets/*/serviceaccount/token /var/run/secrets/*/*/token && echo reached',
  environment: 'cat /proc/1/environ && echo reached',
  write: 'touch /data/left /tmp/left && echo reached',
  gateway: 'nc -w 5 127.0.0.1 8080 < /dev/null && echo reached',
  clusterApi:
    'nc -w 5 "$(getent hosts kubernetes.default.svc | cut -d" " -f1)" 443 < /dev/null && echo reached',
  signal: 'kill -0 1 && echo reached',
  own: 'touch mine && echo allowed',
}

suite('renderers in a restricted pod', { skip: missing ?? false }, () => {
  test('have neither files nor network nor processes of the service, and Wadi says so', async () => {
    await using release = await Release.install(await sharedNode(), 'contained', ['shape=small'])
    const [pod = ''] = await release.pods()
    const command = ['node', '--input-type=module', '--eval', program, JSON.stringify(attacks)]
    const { outputs, ...isolation }: { outputs: Record<string, string> } = JSON.parse(
      await release.kubectl('exec', pod, '--', ...command),
    )
    assert.deepEqual(isolation, { isolatedBy: 'landlock', notIsolatedBecause: '' })
    const { own, ...attacked } = outputs
    assert.equal(own, 'allowed\n')
    for (const [name, output] of Object.entries(attacked)) assert.doesNotMatch(output, /reached/, name)
    const wadi = await release.signedIn()
    const found: { protections: { name: string; active: boolean }[] } = JSON.parse(
      await wadi('doctor', '--remote', '-o', 'json'),
    )
    const active = found.protections.filter((protection) => protection.active).map(({ name }) => name)
    for (const name of ['files', 'network', 'processes']) assert.ok(active.includes(name), name)
  })
})
