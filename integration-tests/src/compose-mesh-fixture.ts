import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startComposeProject } from '@wadi/testing/compose-project.ts'
import { startGitHttpServer } from '@wadi/testing/git-http-server.ts'
import { HydrationFixture, makeTestDirectory } from './hydration-fixture.ts'
import { gitUser } from './mesh-fixture.ts'

/** The name of the test's machine in containers. */
const hostOfContainers = 'host.docker.internal'

/** The services that talk to git servers, or read their URLs. */
const gitClients = ['api-gateway', 'appset-service', 'commit-server', 'hydrator', 'repo-server']

/** The mesh of `deploy/compose.yaml`, and a git server on this machine. */
export interface ComposeMesh extends AsyncDisposable {
  fixture: HydrationFixture
}

/** Starts `deploy/compose.yaml` as it is, with an image and on a free port. */
export async function startComposeMesh(image: string): Promise<ComposeMesh> {
  await using owned = new AsyncDisposableStack()
  const directory = await makeTestDirectory(owned)
  const git = await startGitHttpServer({
    users: { [gitUser.username]: gitUser.password },
    containersCallIt: hostOfContainers,
  })
  owned.use(git)
  const deploy = path.join(import.meta.dirname, '../../deploy')
  const overrides = path.join(directory, 'overrides.yaml')
  const reaching = {
    extra_hosts: [`${hostOfContainers}:host-gateway`],
    environment: { WADI_PLAIN_HTTP: 'always' },
  }
  await writeFile(
    overrides,
    JSON.stringify({ services: Object.fromEntries(gitClients.map((name) => [name, reaching])) }),
  )
  const project = await startComposeProject(deploy, ['compose.yaml', overrides], {
    WADI_IMAGE: image,
    WADI_PORT: '0',
  })
  owned.use(project)
  const token = await project.output('api-gateway', ['cat', '/data/admin.token'])
  const address = `http://${project.published('api-gateway', 8080)}`
  const fixture = new HydrationFixture({ address, token: token.trim(), directory, git })
  owned.use(fixture)
  await fixture.addCredentials({ repoUrl: git.url, isPrefix: true, ...gitUser })
  const moved = owned.move()
  return { fixture, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}
