import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { status } from '@grpc/grpc-js'
import { until } from '@wadi/testing/until.ts'
import { ArgocdClient } from './argocd-client-fixture.ts'
import { archiveRequests, readManifests } from './argocd-messages-fixture.ts'
import { startSidecarFixture } from './cmp-server-fixture.ts'
import { directory, goArchive } from './go-tar-fixture.ts'

const manifest = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"made"}}'
const plugin = `
apiVersion: argoproj.io/v1alpha1
kind: ConfigManagementPlugin
metadata: {name: slow}
spec:
  generate:
    command: [sh, -c]
    args:
    - |
      [ "$ARGOCD_ENV_SLOW" = yes ] || exec cat app.yaml
      trap '' TERM
      sh -c 'trap "" TERM; while :; do sleep 1; done' &
      echo "$$ $!" > "$ARGOCD_ENV_PIDS.new" && mv "$ARGOCD_ENV_PIDS.new" "$ARGOCD_ENV_PIDS"
      while :; do sleep 1; done
`
const archive = goArchive([
  directory('.'),
  { name: 'app.yaml', content: manifest },
  { name: 'ballast', content: randomBytes(200_000) },
])

function slowRequests(pids: string): Buffer[] {
  return archiveRequests(archive, {
    env: [
      ['ARGOCD_ENV_SLOW', 'yes'],
      ['ARGOCD_ENV_PIDS', pids],
    ],
  })
}

async function processesIn(file: string): Promise<number[]> {
  return (await readFile(file, 'utf8')).trim().split(' ').map(Number)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function assertWorks(client: ArgocdClient): Promise<void> {
  const answer = readManifests(await client.upload('GenerateManifest', archiveRequests(archive)))
  assert.deepEqual(answer.manifests, [manifest])
}

test('a deadline ends the command and all that it started, even when they ignore SIGTERM', async () => {
  await using sidecar = await startSidecarFixture(plugin)
  const pids = path.join(sidecar.directory, 'pids')
  const call = sidecar.client.upload('GenerateManifest', slowRequests(pids), 2_000)
  await assert.rejects(call, { code: status.DEADLINE_EXCEEDED })
  const processes = await processesIn(pids)
  assert.equal(processes.length, 2)
  await until(() => !processes.some(isRunning))
  await until(async () => (await sidecar.leftOvers()).length === 0)
  await assertWorks(sidecar.client)
})

test('a caller that gives up ends the command', async () => {
  await using sidecar = await startSidecarFixture(plugin)
  const pids = path.join(sidecar.directory, 'pids')
  const upload = sidecar.client.startUpload('GenerateManifest')
  for (const message of slowRequests(pids)) await upload.send(message)
  upload.end()
  const started = () =>
    processesIn(pids).then(
      () => true,
      () => false,
    )
  await until(started)
  upload.cancel()
  await assert.rejects(upload.answer, { code: status.CANCELLED })
  const processes = await processesIn(pids)
  await until(() => !processes.some(isRunning))
  await until(async () => (await sidecar.leftOvers()).length === 0)
})

test('an upload that is given up half way leaves nothing, and the connection continues', async () => {
  await using sidecar = await startSidecarFixture(plugin)
  const messages = archiveRequests(archive)
  for (const sent of [1, 2, 100]) {
    const upload = sidecar.client.startUpload('GenerateManifest')
    for (const message of messages.slice(0, sent)) await upload.send(message)
    await until(async () => (await sidecar.leftOvers()).length > 0)
    upload.cancel()
    await assert.rejects(upload.answer, { code: status.CANCELLED })
    await until(async () => (await sidecar.leftOvers()).length === 0)
  }
  await assertWorks(sidecar.client)
})

test('an upload that never ends is stopped by its deadline', async () => {
  await using sidecar = await startSidecarFixture(plugin)
  const upload = sidecar.client.startUpload('GenerateManifest', 1_000)
  for (const message of archiveRequests(archive).slice(0, 50)) await upload.send(message)
  await assert.rejects(upload.answer, { code: status.DEADLINE_EXCEEDED })
  await until(async () => (await sidecar.leftOvers()).length === 0)
})

test('callers that come and go one after the other, as Argo CD reconnects for each attempt, are all served', async () => {
  await using sidecar = await startSidecarFixture(plugin)
  for (let attempt = 0; attempt < 20; attempt += 1) {
    using client = new ArgocdClient(sidecar.address)
    await assertWorks(client)
  }
  assert.deepEqual(await sidecar.leftOvers(), [])
})
