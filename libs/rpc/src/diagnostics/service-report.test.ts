import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { PermissionDeniedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { ServiceDiagnosticsService } from '@wadi/protocol/gen/wadi/diagnostics/v1/diagnostics_pb.ts'
import { fillDisk, mountSmallDisk, noSmallDisk } from '@wadi/testing/small-disk.ts'
import { commonSettings } from '../common-settings.ts'
import { temporaryDirectory } from '../server-fixture.ts'
import { connectTo, openServiceBase, serve, type ServeOptions } from '../service-base.ts'
import { defineSettings, readSettings } from '../service-settings.ts'
import type { Finding } from './finding.ts'

const definition = defineSettings({
  ...commonSettings,
  password: { type: 'string', env: 'WADI_TEST_PASSWORD', secret: true, description: 'A secret.' },
  proxy: { type: 'string', env: 'WADI_TEST_PROXY', description: 'Not a secret by itself.' },
})

async function started(
  owned: AsyncDisposableStack,
  directory: string,
  options: Pick<ServeOptions, 'diagnosed' | 'checks' | 'warnings'> = {},
) {
  const settingsOf = (data: string) =>
    readSettings(definition, {
      env: {
        WADI_DATA_DIR: data,
        WADI_SERVICE_KEY_FILE: path.join(directory, 'service.key'),
        WADI_LISTEN: '127.0.0.1:0',
        WADI_LOG_LEVEL: 'warn',
        WADI_TEST_PASSWORD: 'hunter2-of-the-service',
        WADI_TEST_PROXY: 'http://user:hunter2-of-the-proxy@proxy:3128',
      },
      argv: [],
    })
  const base = await openServiceBase('repo-server', settingsOf(path.join(directory, 'data')))
  const server = owned.use(
    await serve(base, {
      services: [],
      routes: () => undefined,
      owned: new AsyncDisposableStack(),
      diagnosed: { definition },
      ...options,
    }),
  )
  const callAs = async (service: string) => {
    const caller = await openServiceBase(service, settingsOf(directory))
    return owned.use(await connectTo(caller, ServiceDiagnosticsService, 'repo-server', [server.address]))
  }
  return { base, callAs }
}

test('a service says how it is, and shows settings without secrets and the end of its log to those who want details', async () => {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await temporaryDirectory())
  const finding: Finding = { severity: 'info', area: 'tools', message: 'Helm is old', remedy: 'a newer one' }
  const { base, callAs } = await started(owned, directory.path, {
    diagnosed: { definition, diagnose: async () => ({ findings: [finding] }) },
    checks: { store: () => 'cannot be written' },
    warnings: { repositories: () => 'a Secret cannot be read', tools: () => 'said by the finding' },
  })
  base.logger.warn({ password: 'hunter2-in-the-log' }, 'https://user:hunter2-in-a-url@git.example.com failed')
  const gateway = await callAs('api-gateway')
  const { report } = await gateway.diagnose({})
  assert.ok(report)
  assert.deepEqual(
    report.findings
      .filter(({ area }) => area !== 'disk')
      .map(({ severity, area, message }) => [severity, area, message]),
    [
      ['error', 'repo-server', 'not ready: store: cannot be written'],
      ['warning', 'repositories', 'repo-server: a Secret cannot be read'],
      ['info', 'tools', 'Helm is old'],
    ],
  )
  assert.match(report.version, /^v\d/)
  assert.ok(Math.abs(Date.parse(report.time) - Date.now()) < 3_600_000)
  assert.deepEqual([report.settings, report.log, report.metrics], [{}, [], ''])
  const { report: detailed } = await gateway.diagnose({ details: true })
  assert.ok(detailed)
  assert.equal(detailed.settings['WADI_TEST_PASSWORD'], '(set)')
  assert.equal(detailed.settings['WADI_TEST_PROXY'], 'http://***@proxy:3128')
  assert.match(detailed.log.at(-1) ?? '', /git\.example\.com failed/)
  assert.match(detailed.metrics, /^wadi_rpc_duration_seconds/m)
  assert.doesNotMatch(JSON.stringify([detailed.settings, detailed.log, detailed.metrics]), /hunter2/)
})

test('nobody but the gateway may ask a service what is wrong', async () => {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await temporaryDirectory())
  const { callAs } = await started(owned, directory.path)
  const hydrator = await callAs('hydrator')
  await assert.rejects(hydrator.diagnose({}), PermissionDeniedError)
})

test('checks that fail are a finding of the report', async () => {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await temporaryDirectory())
  const diagnose = async () => {
    throw new UnavailableError('the store is away')
  }
  const { callAs } = await started(owned, directory.path, { diagnosed: { definition, diagnose } })
  const { report } = await (await callAs('api-gateway')).diagnose({})
  assert.deepEqual(
    report?.findings.filter(({ area }) => area === 'repo-server').map(({ message }) => message),
    ['its checks failed: the store is away'],
  )
})

test('a disk that is full is an error with its directory', { skip: noSmallDisk }, async () => {
  await using owned = new AsyncDisposableStack()
  const directory = owned.use(await temporaryDirectory())
  const data = path.join(directory.path, 'data')
  await mountSmallDisk(owned, data)
  const { callAs } = await started(owned, directory.path)
  const gateway = await callAs('api-gateway')
  const errors = async () => {
    const { report } = await gateway.diagnose({})
    return report?.findings.filter(({ area, message }) => area === 'disk' && message.includes(data))
  }
  assert.deepEqual(await errors(), [])
  owned.use(await fillDisk(data))
  assert.partialDeepStrictEqual(await errors(), [
    { severity: 'error', message: `repo-server: 0 MiB of 4 MiB are free at ${data}` },
  ])
})
