import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ApplicationSetService } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { ClusterConfig } from '@wadi/kubernetes/config/cluster-config.ts'
import { writeKubeconfig } from '@wadi/testing/kubernetes-api/kubeconfig-file.ts'
import { commonSettings } from '../common-settings.ts'
import { temporaryDirectory } from '../server-fixture.ts'
import { connectTo, openServiceBase, serve } from '../service-base.ts'
import { callingServiceKey, endUserKey } from '../service-identity.ts'
import { readSettings } from '../service-settings.ts'

/** Services of one namespace of a cluster that know each other by their accounts. */
export async function startAccountServices(cluster: ClusterConfig, namespace: string) {
  await using owned = new AsyncDisposableStack()
  const { path: directory } = owned.use(await temporaryDirectory())
  const kubeconfig = path.join(directory, 'kubeconfig')
  await writeKubeconfig(kubeconfig, cluster)
  const moved = owned.move()
  const services = ['api-gateway', 'hydrator', 'repo-server', 'appset-service']

  /** Opens a service that has some tokens, by the services that they are for, and a key if it has a text. */
  const open = async (service: string, tokens: Record<string, string> = {}, key?: string) => {
    const own = path.join(directory, service)
    await mkdir(own, { recursive: true })
    for (const [name, token] of Object.entries(tokens)) await writeFile(path.join(own, name), `${token}\n`)
    const keyFile = path.join(directory, `${service}.key`)
    if (key !== undefined) await writeFile(keyFile, key)
    const env = {
      WADI_LISTEN: '127.0.0.1:0',
      WADI_LOG_LEVEL: 'error',
      WADI_DATA_DIR: directory,
      WADI_SERVICE_IDENTITY: 'accounts',
      WADI_SERVICE_TOKENS_DIR: own,
      WADI_SERVICE_ACCOUNTS: services.map((name) => `${namespace}/wadi-${name}=${name}`).join(','),
      WADI_SERVICE_KEY_FILE: keyFile,
    }
    return openServiceBase(service, { ...readSettings(commonSettings, { env, argv: [] }), kubeconfig })
  }

  /** Serves what every caller of a service gets to know: who calls, and for whom. */
  const serveCallers = async (service: string) => {
    const calls: unknown[] = []
    const server = moved.use(
      await serve(await open(service), {
        services: [RepoServerService, ApplicationSetService],
        routes: (router) =>
          router
            .service(RepoServerService, {
              resolveRevisions: (_request, { values }) => {
                calls.push(values.get(callingServiceKey))
                return {}
              },
            })
            .service(ApplicationSetService, {
              listApplicationSets: (_request, { values }) => {
                calls.push(values.get(endUserKey))
                return {}
              },
            }),
        owned: new AsyncDisposableStack(),
      }),
    )
    return { calls, address: server.address }
  }

  /** Calls repo-server as a service with a token. */
  const call = async (address: string, caller: string, token: string) => {
    const base = await open(caller, { 'repo-server': token })
    await using client = await connectTo(base, RepoServerService, 'repo-server', [address])
    await client.resolveRevisions({})
  }

  return { open, serveCallers, call, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}
