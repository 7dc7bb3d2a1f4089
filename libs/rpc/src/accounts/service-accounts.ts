import { InvalidInputError, PermissionDeniedError } from '@wadi/errors/domain-error.ts'
import { someInLine } from '@wadi/errors/some-of.ts'
import { serviceNames } from '../service-names.ts'

const maxNamed = 20

/** Which ServiceAccount of a cluster speaks for which service. */
export class ServiceAccounts {
  readonly #services: ReadonlyMap<string, string>

  private constructor(services: ReadonlyMap<string, string>) {
    this.#services = services
  }

  /**
   * Reads the setting: `namespace/account=service`, or without entries `wadi-<service>` of a namespace for each service.
   * @throws InvalidInputError
   */
  static read(entries: readonly string[], namespace: string): ServiceAccounts {
    if (entries.length > 0) return new ServiceAccounts(new Map(entries.map(readEntry)))
    return new ServiceAccounts(
      new Map(serviceNames.map((service) => [`${namespace}/wadi-${service}`, service])),
    )
  }

  /**
   * Returns the service that an account speaks for.
   * @param subject as tokens name it, `system:serviceaccount:<namespace>:<name>`
   * @throws PermissionDeniedError that says which account it is and which are allowed
   */
  serviceOf(subject: string): string {
    const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(subject) ?? []
    const service = this.#services.get(`${namespace}/${name}`)
    if (service !== undefined) return service
    const seen =
      name === undefined
        ? `${JSON.stringify(subject)}, which is not a ServiceAccount`
        : `the ServiceAccount ${name} of namespace ${namespace}, which speaks for no service`
    const allowed = someInLine([...this.#services.keys()], maxNamed, ', ')
    throw new PermissionDeniedError(
      `the call carries a token of ${seen}; allowed are ${allowed} (WADI_SERVICE_ACCOUNTS)`,
    )
  }
}

function readEntry(entry: string): [string, string] {
  const [, account, service] = /^([a-z0-9.-]+\/[a-z0-9.-]+)=([a-z-]+)$/.exec(entry) ?? []
  if (account === undefined || service === undefined) {
    throw new InvalidInputError(
      `WADI_SERVICE_ACCOUNTS: ${JSON.stringify(entry)} must be namespace/account=service`,
    )
  }
  if (!serviceNames.includes(service)) {
    throw new InvalidInputError(
      `WADI_SERVICE_ACCOUNTS: ${entry}: unknown service ${service}; expected one of ${serviceNames.join(', ')}`,
    )
  }
  return [account, service]
}
