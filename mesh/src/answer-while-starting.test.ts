import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { freePort } from '@wadi/testing/free-port.ts'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { startKubernetesApi } from '@wadi/testing/kubernetes-api/kubernetes-api.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'
import { until } from '@wadi/testing/until.ts'
import { startMesh } from './mesh.ts'

test('a mesh that waits for its cluster lives, and says at its address what it waits for', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-mesh-'))
  await using api = await startKubernetesApi()
  api.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } })
  const kubeconfig = path.join(scratch.path, 'kubeconfig')
  await writeKubeconfig(kubeconfig, api.config)
  const dataDirectory = path.join(scratch.path, 'data')
  await shareToolCache(dataDirectory)
  const listen = `127.0.0.1:${await freePort()}`
  const environment = { WADI_STORE: 'kubernetes', WADI_KUBECONFIG: kubeconfig, WADI_LOG_LEVEL: 'error' }
  const answer = async (at: string) => {
    const response = await fetch(`http://${listen}${at}`).catch(() => undefined)
    return response && `${response.status} ${await response.text()}`
  }
  const isWaiting = async () =>
    (await answer('/readyz'))?.includes('hydrator: store: the cluster does not serve ')

  const stop = new AbortController()
  const stopped = startMesh({ dataDirectory, listen, environment, signal: stop.signal })
  await Promise.race([until(async () => (await isWaiting()) === true), stopped])
  const [status, ...lines] = (await answer('/readyz'))?.split('\n') ?? []
  assert.equal(status, '503 mesh: not all services have started')
  assert.match(
    lines.join('\n'),
    /^hydrator: store: .* install the CustomResourceDefinition applications.argoproj.io; /,
  )
  assert.equal(await answer('/healthz'), '200 ok\n')
  stop.abort()
  await assert.rejects(stopped, { name: 'AbortError' })
  assert.equal(await answer('/healthz'), undefined)

  const starting = startMesh({ dataDirectory, listen, environment })
  await Promise.race([until(async () => (await isWaiting()) === true), starting])
  await api.applyCrds(...crdFiles)
  await using mesh = await starting
  assert.equal(mesh.address, `http://${listen}`)
  assert.equal(await answer('/readyz'), '200 ok\n')
})
