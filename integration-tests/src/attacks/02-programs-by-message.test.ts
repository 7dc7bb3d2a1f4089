import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DescMessage } from '@bufbuild/protobuf'
import { ConfigManagementPluginService } from '@wadi/protocol/gen/argocd/plugin/plugin_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { applicationObject } from '../application-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'
import { archiveRequests, readManifests } from '../plugin-protocol/argocd-messages-fixture.ts'
import { startSidecarFixture } from '../plugin-protocol/cmp-server-fixture.ts'
import { goArchive } from '../plugin-protocol/go-tar-fixture.ts'

/** The names of all fields of a message and of those in it. */
function fieldNames(message: DescMessage, seen = new Set<DescMessage>()): string[] {
  if (seen.has(message)) return []
  seen.add(message)
  return message.fields.flatMap((field) => [
    field.name,
    ...(field.message === undefined ? [] : fieldNames(field.message, seen)),
  ])
}

/** The first runs fewer programs, and the second has names that the operator gave to programs of repo-server. */
const harmless: readonly string[] = ['without_commands', 'programs']

test('no request for a render has a field for a program or for options of one', () => {
  for (const service of [RepoServerService, ConfigManagementPluginService]) {
    const names = service.methods.flatMap(({ input }) => fieldNames(input))
    const suspect = names.filter(
      (name) =>
        !harmless.includes(name) && /binary|program|executable|command|build_?options|flags?$/i.test(name),
    )
    assert.deepEqual([names.length > 0, suspect], [true, []], service.typeName)
  }
})

test('an Application that names a program or options of one is refused', async () => {
  await using mesh = await startMeshFixture()
  const repository = await mesh.fixture.createRepository('programs', {
    'site/kustomization.yaml': 'resources: []\n',
  })
  const fields = [
    { kustomize: { buildOptions: '--enable-alpha-plugins' } },
    { kustomize: { binaryPath: '/tmp/evil' } },
    { helm: { binaryPath: '/tmp/evil' } },
    { helm: { postRenderer: './evil.sh' } },
    { plugin: { command: ['sh'] } },
  ]
  for (const [index, source] of fields.entries()) {
    const name = `program-${index}`
    const application = {
      name,
      path: 'site',
      source,
      repoURL: repository.url,
      branch: `environments/${name}`,
    }
    const resource = applicationObject(application)
    const rejection = await mesh.fixture.gateway.resources
      .applyResource({ resource })
      .then(() => mesh.fixture.waitForFailure(name))
      .catch((error: Error) => error.message)
    const [[, options = {}] = []] = Object.entries(source)
    assert.match(rejection, new RegExp(Object.keys(options).join()), JSON.stringify(source))
    assert.equal(await repository.head(`environments/${name}`), '')
  }
})

test('a caller of a plugin sets no variable that is not part of the protocol', async () => {
  const names = [
    'PATH',
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'GIT_SSH_COMMAND',
    'GIT_EXEC_PATH',
    'BASH_ENV',
    'TAR_OPTIONS',
  ]
  const show = names.map((name) => `printf '"%s": "%s",' ${name} "$${name}"`).join('; ')
  const script = `printf '{"apiVersion":"v1","kind":"Shown","metadata":{"name":"a"},'; ${show}; printf '"end":""}'`
  await using sidecar = await startSidecarFixture(
    JSON.stringify({
      kind: 'ConfigManagementPlugin',
      metadata: { name: 'shows' },
      spec: { generate: { command: ['sh', '-c', script] }, parameters: { env: { unprefixed: 'guarded' } } },
    }),
  )
  const parameters = names.map((name) => ({ name: name.toLowerCase(), string: '/evil' }))
  const env = [
    ...names.map((name) => [name, '/evil'] as const),
    ['ARGOCD_APP_PARAMETERS', JSON.stringify(parameters)] as const,
  ]
  const archive = goArchive([{ name: 'a.yaml', content: 'a: b\n' }])
  const requests = archiveRequests(archive, { env })
  const { manifests } = readManifests(await sidecar.client.upload('GenerateManifest', requests))
  const shown = new Map(Object.entries(JSON.parse(manifests[0] ?? '') as Record<string, string>))
  for (const name of names) assert.ok(!shown.get(name)?.includes('/evil'), `${name}=${shown.get(name)}`)
})
