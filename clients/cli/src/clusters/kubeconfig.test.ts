import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../testing/run-wadi-fixture.ts'
import { kubernetesServer } from './kubeconfig.ts'

test('a kubeconfig is read as kubectl reads it, merge keys included', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'config')
  const server = { KUBECONFIG: path }
  await writeFile(
    path,
    `contexts:
- {name: a, context: {cluster: b}}
clusters:
- {name: base, cluster: &base {server: "https://a.example.com"}}
- {name: b, cluster: {insecure-skip-tls-verify: off, <<: *base}}
`,
  )
  assert.equal(await kubernetesServer('a', server), 'https://a.example.com')
  await writeFile(path, 'contexts: [\n')
  await assert.rejects(kubernetesServer('a', server), {
    name: 'CommandFailure',
    message: `${path}:2: unexpected end of the stream within a flow collection; correct it or give --url`,
  })
})
