import { commitServerContext, commitServerRoutes } from '@wadi/commit-server/commit-server.ts'
import { createNetworkPolicy } from '@wadi/git/network/network-policy.ts'
import type { Mirror } from '@wadi/git/mirror/mirror.ts'
import { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import { MirrorPool } from '@wadi/repositories/mirror-pool.ts'
import { RepositoryStore } from '@wadi/repositories/repository-store.ts'
import { type Contact, ModelMirror } from '../models/git/model-mirror.ts'
import type { GitServer } from '../models/git/git-server.ts'
import { ModelStore } from '../models/store/model-store.ts'
import { StoreServer } from '../models/store/store-server.ts'
import type { Listener } from './rpc-link.ts'
import { listenerOf, type ProcessBase } from './service-process.ts'

const policy = { allowFile: false, allowPlainHttp: 'never' } as const
const maxCommitSize = 1024 ** 2
const network = createNetworkPolicy([])

/** Starts a commit-server that reaches a git server. Its RPCs are served by its own code; below it, git is a model. */
export function startCommitServer(
  base: ProcessBase,
  gone: AbortSignal,
  { server, contact, directory }: { server: GitServer; contact: Contact; directory: string },
): Listener {
  const credentials = new StoreServer()
  const link = {
    ask: async <A>(_label: string, ask: (store: StoreServer) => A) => ask(credentials),
    follow: notFollowed,
  }
  const repositories = new RepositoryStore(new ModelStore(link, { reads: 'server' }), 'write')
  const mirrors = new ModelMirrorPool(repositories, (url) => new ModelMirror(url, directory, server, contact))
  const context = commitServerContext(
    base,
    { attestations: false, maxCommitSize },
    { repositories, mirrors, signing: undefined },
  )
  return listenerOf(base, gone, CommitServerService, commitServerRoutes(context))
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

  override async open(url: string): Promise<Mirror> {
    const mirror = this.#mirrors.get(url) ?? this.#open(url)
    this.#mirrors.set(url, mirror)
    return mirror
  }
}
