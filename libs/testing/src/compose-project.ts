import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { containerProblem } from './docker-engine.ts'

const run = promisify(execFile)
const startTimeoutMs = 150_000

/** The containers of a compose file, which are gone with their networks and volumes when it is disposed. */
export interface ComposeProject extends AsyncDisposable {
  /** `host:port` where a port of a service is published. */
  published(service: string, port: number): string
  /** The output of a command in the container of a service. */
  output(service: string, command: string[]): Promise<string>
}

/** Why a compose file with these images cannot be started here; undefined when it can. */
export async function composeProblem(images: readonly string[]): Promise<string | undefined> {
  for (const image of images) {
    const problem = await containerProblem(image)
    if (problem !== undefined) return problem
  }
  return run('docker', ['compose', 'version']).then(
    () => undefined,
    () => 'docker has no compose',
  )
}

/** Starts compose files under a name of their own, and waits until each container is healthy, for 150 s at most. */
export async function startComposeProject(
  directory: string,
  files: string[],
  environment: Record<string, string>,
): Promise<ComposeProject> {
  const { DockerComposeEnvironment, Wait } = await import('testcontainers')
  const started = await new DockerComposeEnvironment(directory, files)
    .withEnvironment(environment)
    .withDefaultWaitStrategy(Wait.forHealthCheck())
    .withStartupTimeout(startTimeoutMs)
    .up()
  const container = (service: string) => started.getContainer(`${service}-1`)
  return {
    published: (service, port) => `${container(service).getHost()}:${container(service).getMappedPort(port)}`,
    output: async (service, command) => (await container(service).exec(command)).output,
    [Symbol.asyncDispose]: async () => {
      await started.down({ removeVolumes: true, timeout: 0 })
    },
  }
}
