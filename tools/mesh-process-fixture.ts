import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { compileCache, nodeOptions } from '@wadi/testing/quick-start.ts'
import { freePort } from '@wadi/testing/free-port.ts'
import { shareToolCache } from '@wadi/testing/tool-cache.ts'
import { until } from '@wadi/testing/until.ts'

/** A mesh in a process of its own, as a pod runs it. */
export interface MeshProcess extends AsyncDisposable {
  /** `127.0.0.1:<port>`. */
  readonly listen: string
}

/**
 * Starts a mesh and waits until it is ready; disposal ends it.
 * @param data its data directory
 * @param environment its variables in addition to the search path and the home of this process
 */
export async function startMeshProcess(
  data: string,
  environment: Readonly<Record<string, string>>,
): Promise<MeshProcess> {
  await shareToolCache(data)
  const listen = `127.0.0.1:${await freePort()}`
  const { PATH = '', HOME = '' } = process.env
  const env = {
    PATH,
    HOME,
    NODE_COMPILE_CACHE: compileCache,
    WADI_LISTEN: listen,
    WADI_DATA_DIR: data,
    WADI_LOG_LEVEL: 'error',
    ...environment,
  }
  const main = path.join(import.meta.dirname, '../mesh/src/main.ts')
  const child = spawn(process.execPath, [...nodeOptions, main], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exited = once(child, 'exit')
  const end = async () => {
    child.kill('SIGTERM')
    const [code, signal] = await exited
    if (code !== 0) throw new Error(`the mesh ended with ${code ?? signal}`)
  }
  let answer = 'nothing'
  const isReady = async () => {
    // Each request costs the mesh, which starts, as much as this process.
    await delay(100)
    if (child.exitCode !== null) throw new Error('it ended')
    try {
      const response = await fetch(`http://${listen}/readyz`)
      answer = await response.text()
      return response.ok
    } catch {
      return false
    }
  }
  try {
    await until(isReady)
  } catch (cause) {
    child.kill('SIGKILL')
    throw new Error(`the mesh was not ready; it answered ${answer}`, { cause })
  }
  return { listen, [Symbol.asyncDispose]: end }
}
