import { readFile } from 'node:fs/promises'
import { collectionPath } from '@wadi/kubernetes/client/api-resource.ts'
import { readCustomKinds } from '../kubernetes-api/kind-definition.ts'
import { until } from '../until.ts'
import { askPlane, type PlaneAnswer, type PlaneBody } from './plane-request.ts'

/** The address and the credentials of a plane's administrator. */
export interface PlaneAddress {
  readonly server: string
  readonly port: number
  /** PEM. */
  readonly ca: string
  readonly adminToken: string
  /** The file that gives kubectl the rights of the administrator. */
  readonly kubeconfig: string
}

/** A plane that runs, as its administrator sees it. */
export class PlaneAccess implements PlaneAddress {
  readonly server: string
  readonly port: number
  readonly ca: string
  readonly adminToken: string
  readonly kubeconfig: string

  constructor({ server, port, ca, adminToken, kubeconfig }: PlaneAddress) {
    this.server = server
    this.port = port
    this.ca = ca
    this.adminToken = adminToken
    this.kubeconfig = kubeconfig
  }

  /** Applies files with one CustomResourceDefinition each on the server's side, and waits until their kinds are served. */
  async applyCrds(...files: readonly string[]): Promise<void> {
    for (const file of files) {
      const [kind] = await readCustomKinds(file)
      if (kind === undefined) throw new Error(`${file} defines nothing`)
      const { plural, group } = kind.resource
      const definition = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.${group}`
      const applied = await this.ask(
        'PATCH',
        `${definition}?fieldManager=test&force=true&fieldValidation=Strict`,
        {
          type: 'application/apply-patch+yaml',
          text: await readFile(file, 'utf8'),
        },
      )
      if (applied.status !== 200 && applied.status !== 201) {
        throw new Error(`${file} is rejected: ${applied.status} ${applied.body}`)
      }
      const collection = collectionPath(kind.resource, undefined)
      await until(async () => (await this.ask('GET', collection)).status === 200)
    }
  }

  /** Asks the API server as the administrator. */
  async ask(method: string, requestPath: string, body?: PlaneBody): Promise<PlaneAnswer> {
    return this.askAs(this.adminToken, method, requestPath, body)
  }

  /** Asks the API server with a token. */
  async askAs(token: string, method: string, requestPath: string, body?: PlaneBody): Promise<PlaneAnswer> {
    return askPlane({ server: this.server, ca: this.ca, token }, method, requestPath, body)
  }

  /** Creates an object as the administrator, and returns what the API server made of it. */
  async create(collection: string, object: object): Promise<unknown> {
    const body = { type: 'application/json', text: JSON.stringify(object) }
    const { status, body: answer } = await this.ask('POST', collection, body)
    if (status >= 300 || status === 0) throw new Error(`POST ${collection}: ${status} ${answer}`)
    return JSON.parse(answer)
  }

  /** Returns a token of a service account, which is created if there is none; for some audiences alone if they are given. */
  async accountToken(namespace: string, account: string, audiences?: readonly string[]): Promise<string> {
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`
    if ((await this.ask('GET', `${accounts}/${account}`)).status === 404) {
      await this.create(accounts, { metadata: { name: account } })
    }
    const answer = await this.create(`${accounts}/${account}/token`, {
      spec: { expirationSeconds: 600, ...(audiences && { audiences }) },
    })
    const { status } = answer as { status: { token: string } }
    return status.token
  }
}
