import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { startRealNpmRegistry } from '@wadi/testing/npm-registry/real-npm-registry.ts'
import { startRealRegistry } from '@wadi/testing/oci-registry/real-registry.ts'
import { hash } from 'bcryptjs'
import { pullImage } from './release-fixture.ts'

const run = promisify(execFile)
const main = path.join(import.meta.dirname, 'main.ts')
const [user, password] = ['ci', 'pass:word']

/** Both registries, each behind a way that can be cut, and a release to publish there. */
export async function startRegistries() {
  await using owned = new AsyncDisposableStack()
  const scratch = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-publish-'))).path
  const npmRegistry = owned.use(await startRealNpmRegistry())
  const registry = owned.use(await startRealRegistry({ passwords: `${user}:${await hash(password, 4)}\n` }))
  const npm = owned.use(await brokenWay(new URL(npmRegistry.address).host))
  const oci = owned.use(await brokenWay(registry.host))
  const token = (await readFile(npmRegistry.userConfig, 'utf8')).replace(/^.*?:_/, `//${npm.host}/:_`)
  await writeFile(path.join(scratch, '.npmrc'), `${token}fetch-retries=0\n`)
  const auth = Buffer.from(`${user}:${password}`).toString('base64')
  await writeFile(path.join(scratch, 'config.json'), JSON.stringify({ auths: { [oci.host]: { auth } } }))
  const env = {
    PATH: process.env['PATH'],
    HOME: scratch,
    DOCKER_CONFIG: scratch,
    npm_config_registry: `http://${npm.host}/`,
  }
  const accept = ['index', 'manifest'].map((kind) => `application/vnd.oci.image.${kind}.v1+json`).join(', ')
  const headers = { authorization: `Basic ${auth}`, accept }
  const address = `http://${registry.host}/v2/team`
  const directory = path.join(scratch, 'release')
  await mkdir(directory)
  const flags = ['--npm', `http://${npm.host}`, '--oci', `http://${oci.host}/team`]
  const publish = async (version: string) => {
    const command = ['--disable-warning=ExperimentalWarning', main, version, directory, ...flags]
    return (await run(process.execPath, command, { env })).stdout.trim().split('\n')
  }
  const kept = owned.move()
  return {
    env,
    user,
    password,
    npm,
    oci,
    scratch,
    directory,
    publish,
    npmCommand: async (...args: string[]) => (await run('npm', args, { env, cwd: scratch })).stdout.trim(),
    pull: (tag: string) => pullImage(`${address}/wadi`, tag, headers),
    /** The tags and the packages of a version that users can find. */
    found: async (version: string) => {
      const tags = ['wadi', 'charts/wadi'].map(
        (name) => [`${address}/${name}/manifests/${version}`, headers] as const,
      )
      const packages = ['wadi-renderers', 'wadi'].map(
        (name) => [`${npmRegistry.address}${name}/${version}`, {}] as const,
      )
      const found = []
      for (const [place, sent] of [...tags, ...packages]) {
        const { ok } = await fetch(place, { headers: sent })
        if (ok) found.push(place.replace(/^http:..[^/]+.(?:v2.team.)?/, '').replace('/manifests/', ':'))
      }
      return found
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** A way to a registry that can fail. */
interface BrokenWay extends AsyncDisposable {
  /** `127.0.0.1:<port>`. */
  readonly host: string
  /** The requests so far: `PUT /v2/…`. */
  readonly requests: string[]
  /** Returns true for a request whose connection is to be cut before the registry gets it. */
  cuts: (request: string) => boolean
  /** Returns true for a request that the registry gets, but whose answer is lost. */
  losesAnswer: (request: string) => boolean
}

/** Passes requests on to a registry, as long as nothing is cut. */
async function brokenWay(target: string): Promise<BrokenWay> {
  const requests: string[] = []
  const server = createServer((incoming, answer) => {
    const asked = `${incoming.method} ${incoming.url}`
    requests.push(asked)
    if (way.cuts(asked)) {
      incoming.socket.destroy()
      return
    }
    const { method, url, headers } = incoming
    const [hostname, port] = target.split(':')
    const passed = request({ hostname, port, method, path: url, headers })
    passed.once('response', (found: IncomingMessage) => {
      if (way.losesAnswer(asked)) {
        incoming.socket.destroy()
        return
      }
      answer.writeHead(found.statusCode ?? 502, found.headers)
      pipeline(found, answer).catch(() => undefined)
    })
    pipeline(incoming, passed).catch(() => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const way: BrokenWay = {
    host: `127.0.0.1:${port}`,
    requests,
    cuts: () => false,
    losesAnswer: () => false,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close')
      server.close().closeAllConnections()
      await closed
    },
  }
  return way
}
