import { type Client, createClient, type Transport } from '@connectrpc/connect'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { repoUrl } from '../world/objects.ts'
import { userHeader } from './gateway-process.ts'
import { markName, type SentRequest } from './gateway-ledger.ts'
import type { Project, UserRequest } from './planned-gateway.ts'

type Seen = SentRequest['seen']

/** The calls of a user to a gateway. */
export class UserCalls {
  readonly #client: Client<typeof ApplicationService>
  readonly #options: { readonly headers: Record<string, string> }

  constructor(transport: Transport, user: string) {
    this.#client = createClient(ApplicationService, transport)
    this.#options = { headers: { [userHeader]: user } }
  }

  /** Looks at what a request is to change, if it names what it saw. */
  async see({ application: name, action }: UserRequest, firstSha: string): Promise<Seen> {
    const nothing = { resourceVersion: '', version: '', drySha: '' }
    if (!('isSeen' in action) || !action.isSeen) return nothing
    if (action.kind === 'set') {
      const { editedSha } = await this.#client.setParameters(
        { name, changes: parameters('seen'), dryRun: true },
        this.#options,
      )
      return { ...nothing, drySha: editedSha }
    }
    if (action.kind === 'restore') {
      const request = { name, drySha: firstSha, dryRun: true }
      const { editedSha } = await this.#client.restoreDrySource(request, this.#options)
      return { ...nothing, drySha: editedSha }
    }
    const { application, version } = await this.#client.getApplication({ name }, this.#options)
    if (action.kind !== 'update') return { ...nothing, version }
    const { resourceVersion } = (application as unknown as Resource).metadata
    return { ...nothing, resourceVersion: resourceVersion ?? '' }
  }

  /** Sends a request. @param firstSha the dry commit that it may go back to */
  send({ application: name, action, mark, seen }: SentRequest, firstSha: string): Promise<unknown> {
    const [client, options] = [this.#client, this.#options]
    const { version, drySha } = seen
    switch (action.kind) {
      case 'create': {
        const application = applicationOf(name, action.project, mark)
        return client.createApplication(
          { application, upsert: action.upsert, validate: action.validate },
          options,
        )
      }
      case 'update': {
        const { resourceVersion } = seen
        const application = applicationOf(name, action.project, mark, resourceVersion)
        return client.updateApplication({ application, validate: action.validate }, options)
      }
      case 'apply': {
        const applications = [name, action.with].map((one) => applicationOf(one, action.project, mark))
        return client.applyApplications({ applications }, options)
      }
      case 'delete':
        return client.deleteApplication({ name, version }, options)
      case 'label':
        return client.labelApplication({ name, labels: { [markName]: mark }, version }, options)
      case 'move':
        return client.moveApplication({ name, syncBranch: `env/${mark}`, version }, options)
      case 'set':
        return client.setParameters(
          { name, changes: parameters(mark), message: mark, reviewedSha: drySha },
          options,
        )
      default:
        return client.restoreDrySource(
          { name, drySha: firstSha, message: mark, reviewedSha: drySha },
          options,
        )
    }
  }
}

/** The Application of a world of gateways. */
export function applicationOf(name: string, project: Project, mark: string, resourceVersion = '') {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name,
      namespace: controlPlaneNamespace,
      annotations: { [markName]: mark },
      ...(resourceVersion !== '' && { resourceVersion }),
    },
    spec: {
      project,
      destination: { server: 'https://kubernetes.default.svc', namespace: 'web' },
      sourceHydrator: {
        drySource: { repoURL: repoUrl, targetRevision: 'main', path: `apps/${name}` },
        syncSource: { targetBranch: 'env/1', path: name },
      },
    },
  }
}

function parameters(value: string) {
  return { assignments: [{ target: 'value', value }] }
}
