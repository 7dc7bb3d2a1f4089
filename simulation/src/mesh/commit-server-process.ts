import { commitServerContext, commitServerRoutes, forgeRoutes } from '@wadi/commit-server/commit-server.ts'
import { ForgeClient } from '@wadi/forges/forge-client.ts'
import type { ForgeExchange } from '@wadi/forges/forge-exchange.ts'
import { standInToken } from '@wadi/forges/pull-requests/stand-in-answers-fixture.ts'
import { createNetworkPolicy } from '@wadi/git/network/network-policy.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { ForgeService } from '@wadi/protocol/gen/wadi/commit_server/v1/forge_service_pb.ts'
import { type MirrorLease, MirrorPool } from '@wadi/repositories/mirror-pool.ts'
import { secretTypeLabel } from '@wadi/repositories/repository-secret.ts'
import { RepositoryStore } from '@wadi/repositories/repository-store.ts'
import { credentialsNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { forgeAddress } from '../models/forge/forge-server.ts'
import { type Contact, ModelMirror } from '../models/git/model-mirror.ts'
import type { GitServer } from '../models/git/git-server.ts'
import { ModelStore } from '../models/store/model-store.ts'
import { StoreServer } from '../models/store/store-server.ts'
import { repoUrl } from '../world/objects.ts'
import type { Listener } from './rpc-link.ts'
import { listenerOf, type ProcessBase } from './service-process.ts'

const policy = { allowFile: false, allowPlainHttp: 'never' } as const
const maxCommitSize = 1024 ** 2
const network = createNetworkPolicy([])

/** The links of a commit-server to git and to the forge. */
interface CommitServerLinks {
  readonly server: GitServer
  readonly contact: Contact
  readonly askForge: ForgeExchange
  /** The directory of its mirrors. */
  readonly directory: string
}

/** The Secret with the account that writes, and the forge that it is of. */
const writeCredentials: Resource = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'apps',
    namespace: credentialsNamespace,
    labels: { [secretTypeLabel]: 'repository-write' },
  },
  stringData: { url: repoUrl, forgeToken: standInToken, forge: 'gitea', forgeUrl: forgeAddress },
}

/** Starts a commit-server that reaches a git server. Its RPCs are served by its own code; below it, git is a model. */
export function startCommitServer(
  base: ProcessBase,
  gone: AbortSignal,
  { server, contact, askForge, directory }: CommitServerLinks,
): Listener {
  const credentials = new StoreServer()
  credentials.create(writeCredentials)
  const link = {
    ask: async <A>(_label: string, ask: (store: StoreServer) => A) => ask(credentials),
    follow: notFollowed,
  }
  const repositories = new RepositoryStore(new ModelStore(link), 'write')
  const mirrors = new ModelMirrorPool(repositories, (url) => new ModelMirror(url, directory, server, contact))
  const context = {
    ...commitServerContext(
      base,
      { attestations: false, maxCommitSize },
      { repositories, mirrors, signing: undefined },
    ),
    forges: new ForgeClient({ waitMs: 2_000, answerMs: 20_000 }, askForge),
  }
  return listenerOf(base, gone, (served) => {
    served.add(CommitServerService, commitServerRoutes(context))
    served.add(ForgeService, forgeRoutes(context))
  })
}

function notFollowed(): never {
  throw new Error('commit-server follows no objects')
}

/** Mirrors that are models. */
class ModelMirrorPool extends MirrorPool {
  readonly #open: (url: string) => Mirror
  readonly #mirrors = new Map<string, Mirror>()

  constructor(repositories: RepositoryStore, open: (url: string) => Mirror) {
    super({ directory: '', policy, network, repositories })
    this.#open = open
  }

  override async lease(url: string): Promise<MirrorLease> {
    const mirror = this.#mirrors.get(url) ?? this.#open(url)
    this.#mirrors.set(url, mirror)
    return { mirror, [Symbol.dispose]: () => undefined }
  }
}
