import type { Client } from '@connectrpc/connect'
import type { TemplateEngine } from '@wadi/gotemplate/template.ts'
import type { CommitServerService } from '@wadi/protocol/gen/wadi/commit_server/v1/commit_server_pb.ts'
import type { RepoServerService } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { ApplicationIndex } from '../applications/application-index.ts'
import type { HydratorEvents } from '../events.ts'
import type { FingerprintCache } from './fingerprint-cache.ts'

/** What a run works with. */
export interface RunContext {
  store: ResourceStore
  index: ApplicationIndex
  repoServer: Client<typeof RepoServerService>
  /** Number of repo-servers that share the rendering. */
  repoServers: number
  commitServer: Client<typeof CommitServerService>
  templates: () => Promise<TemplateEngine>
  fingerprints: FingerprintCache
  events: HydratorEvents
}
