import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const answerTimeoutMs = 5_000
const pullTimeoutMs = 300_000

let version: Promise<string | undefined> | undefined

/** The version of the Docker engine of `DOCKER_HOST`, or of this machine; undefined where none answers within 5 s. Asked once for each process. */
export function dockerEngine(): Promise<string | undefined> {
  version ??= run('docker', ['version', '--format', '{{.Server.Version}}'], {
    timeout: answerTimeoutMs,
  }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  )
  return version
}

/** Why containers of an image cannot be started here; undefined when they can. An image that is not here yet is pulled, for 5 minutes at most. */
export async function containerProblem(image: string): Promise<string | undefined> {
  if ((await dockerEngine()) === undefined) return 'no Docker engine answers'
  const asked = [
    ['image', 'inspect', image],
    ['pull', '--quiet', image],
  ]
  for (const args of asked) {
    const done = await run('docker', args, { timeout: pullTimeoutMs }).then(
      () => true,
      () => false,
    )
    if (done) return undefined
  }
  return `the Docker engine has no image ${image} and cannot pull it`
}
