import {
  azureDevOpsRepository,
  bitbucketCloudRepository,
  bitbucketServerRepository,
  type FindRepositories,
  repositoryFields,
} from './payload-repositories.ts'
import {
  azureDevOpsHeads,
  bitbucketCloudHeads,
  bitbucketServerHeads,
  type FindHeads,
  refAndAfter,
} from './payload-heads.ts'
import { at } from './payload-value.ts'
import {
  type Authenticate,
  basicCredentials,
  sharedToken,
  signedBody,
  type WebhookRequest,
} from './webhook-authentication.ts'

/** One provider of webhooks: how its requests are recognized, checked and read. */
export interface WebhookProvider {
  name: string
  /** The keys of `argocd-secret` with what its requests are checked against; the names are Argo CD's where it has them. */
  keys: readonly string[]
  /** True if all keys are needed; otherwise one of them is enough. */
  needsAllKeys?: boolean
  recognizes: (header: WebhookRequest['header']) => boolean
  authenticate: Authenticate
  /** True if the signature covers the body, so that a repeated request is recognized by its body whatever its headers say. */
  isBodySigned: boolean
  /** The header with the identifier of a delivery; absent where there is none. */
  deliveryHeader?: string
  /** The header with the kind of event; absent where the payload names it. */
  eventHeader?: string
  /** The events that may concern a branch: all others have nothing to do. */
  events: RegExp
  /** True if the payload of one of these events may concern a branch; absent where the event alone says so. */
  concernsBranch?: (payload: unknown) => boolean
  /** The event by which somebody tries whether the webhook arrives. */
  ping?: string
  /** True if a ping comes without a signature. */
  isPingUnsigned?: boolean
  findRepositories: FindRepositories
  findHeads: FindHeads
  /** The place that `findRepositories` reads, for senders of something else. */
  repositoryPlace: string
}

/** True for what GitLab's system hooks send of users, groups, keys and projects beside pushes and merge requests. */
function isOtherSystemEvent(name: unknown): boolean {
  return typeof name === 'string' && !/^(?:push|tag_push|repository_update|merge_request)$/.test(name)
}

const gogsKey = 'webhook.gogs.secret'

/**
 * The providers, in the order in which a request is tried: Gitea and Forgejo imitate Gogs and GitHub, and Gogs imitates
 * GitHub, beside their own headers; Bitbucket Server has those of Bitbucket Cloud but one.
 */
export const webhookProviders: readonly WebhookProvider[] = [
  {
    name: 'Azure DevOps',
    keys: ['webhook.azuredevops.username', 'webhook.azuredevops.password'],
    needsAllKeys: true,
    recognizes: (header) => header('x-vss-activityid') !== '',
    authenticate: basicCredentials('webhook.azuredevops.username', 'webhook.azuredevops.password'),
    isBodySigned: false,
    events: /^git\.(?:push|pullrequest)/,
    findRepositories: azureDevOpsRepository,
    findHeads: azureDevOpsHeads,
    repositoryPlace: 'resource.repository.remoteUrl',
  },
  {
    name: 'Gitea or Forgejo',
    keys: ['webhook.gitea.secret', gogsKey],
    recognizes: (header) => header('x-gitea-event') !== '' || header('x-forgejo-event') !== '',
    authenticate: signedBody(
      ['webhook.gitea.secret', gogsKey],
      ['x-gitea-signature', 'x-forgejo-signature', 'x-gogs-signature'],
    ),
    isBodySigned: true,
    eventHeader: 'x-gitea-event',
    events: /^(?:push|create|delete|pull_request\w*)?$/,
    findRepositories: repositoryFields,
    findHeads: refAndAfter,
    repositoryPlace: 'repository.clone_url',
  },
  {
    name: 'Gogs',
    keys: [gogsKey],
    recognizes: (header) => header('x-gogs-event') !== '',
    authenticate: signedBody([gogsKey], ['x-gogs-signature']),
    isBodySigned: true,
    eventHeader: 'x-gogs-event',
    events: /^(?:push|create|delete|pull_request)$/,
    findRepositories: repositoryFields,
    findHeads: refAndAfter,
    repositoryPlace: 'repository.clone_url',
  },
  {
    name: 'GitHub',
    keys: ['webhook.github.secret'],
    recognizes: (header) => header('x-github-event') !== '',
    authenticate: signedBody(['webhook.github.secret'], ['x-hub-signature-256'], 'sha256='),
    isBodySigned: true,
    eventHeader: 'x-github-event',
    events: /^(?:push|create|delete|pull_request)$/,
    ping: 'ping',
    findRepositories: repositoryFields,
    findHeads: refAndAfter,
    repositoryPlace: 'repository.clone_url',
  },
  {
    name: 'GitLab',
    keys: ['webhook.gitlab.secret'],
    recognizes: (header) => header('x-gitlab-event') !== '',
    authenticate: sharedToken('webhook.gitlab.secret', 'x-gitlab-token'),
    isBodySigned: false,
    deliveryHeader: 'idempotency-key',
    eventHeader: 'x-gitlab-event',
    events: /^(?:Push|Tag Push|Merge Request|System) Hook$/,
    concernsBranch: (payload) => !isOtherSystemEvent(at(payload, 'event_name')),
    findRepositories: repositoryFields,
    findHeads: refAndAfter,
    repositoryPlace: 'project.git_http_url',
  },
  {
    name: 'Bitbucket Cloud',
    keys: ['webhook.bitbucket.uuid'],
    recognizes: (header) => header('x-hook-uuid') !== '',
    authenticate: sharedToken('webhook.bitbucket.uuid', 'x-hook-uuid'),
    isBodySigned: false,
    deliveryHeader: 'x-request-uuid',
    eventHeader: 'x-event-key',
    events: /^(?:repo:push|pullrequest:\w+)$/,
    findRepositories: bitbucketCloudRepository,
    findHeads: bitbucketCloudHeads,
    repositoryPlace: 'repository.links.html.href',
  },
  {
    name: 'Bitbucket Server',
    keys: ['webhook.bitbucketserver.secret'],
    recognizes: (header) => header('x-event-key') !== '',
    authenticate: signedBody(['webhook.bitbucketserver.secret'], ['x-hub-signature'], 'sha256='),
    isBodySigned: true,
    eventHeader: 'x-event-key',
    events: /^(?:repo:refs_changed|mirror:repo_synchronized|pr:[\w:]+)$/,
    ping: 'diagnostics:ping',
    isPingUnsigned: true,
    findRepositories: bitbucketServerRepository,
    findHeads: bitbucketServerHeads,
    repositoryPlace: 'repository.links.clone',
  },
]
