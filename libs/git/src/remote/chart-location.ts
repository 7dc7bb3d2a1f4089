import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { parseRepositoryUrl, redactUrl, type UrlPolicy } from './repository-url.ts'

/** The address of a chart. */
export interface ChartLocation {
  readonly kind: 'helm' | 'oci'
  /** Base of what is asked for, with http or https and without a slash at its end: of a registry its host alone. */
  readonly baseUrl: string
  /** The chart in the index, or the repository in the registry. */
  readonly name: string
}

const ociScheme = 'oci://'

/** The name of a chart, as Helm accepts it. */
const chartName = /^[a-zA-Z0-9](?:[a-zA-Z0-9._-]{0,248}[a-zA-Z0-9])?$/

/** A repository of a registry, as the distribution specification has it. */
const registryRepository =
  /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/

/**
 * Reads where a chart is: below `https://` in a Helm repository, below `oci://` or an address without a scheme, as Argo CD has it, in
 * an OCI registry, where the name of the chart may begin with a path.
 * @param plain whether a registry that is not on this machine speaks http too, which the policy may refuse
 * @throws InvalidInputError for a name or an address that cannot be one, or that the policy refuses
 */
export function readChartLocation(
  repoUrl: string,
  chart: string,
  policy: UrlPolicy,
  plain = false,
): ChartLocation {
  const text = repoUrl.trim().replace(/\/+$/, '')
  const isRepository = /^https?:\/\//i.test(text)
  const names = isRepository ? [chart] : chart.split('/')
  const reason = names.map(chartNameError).find((error) => error !== undefined)
  if (reason !== undefined)
    throw new InvalidInputError(`chart ${JSON.stringify(chart.slice(0, 300))} ${reason}`)
  if (isRepository) {
    parseRepositoryUrl(`${text}/index.yaml`, policy)
    return { kind: 'helm', baseUrl: text, name: chart }
  }
  const address = text.toLowerCase().startsWith(ociScheme) ? text.slice(ociScheme.length) : text
  if (address === '' || address.includes('://') || address.includes('@')) {
    throw new InvalidInputError(
      `${JSON.stringify(redactUrl(repoUrl))} is not the address of charts; give https://…, oci://… or the address of a registry`,
    )
  }
  return registryLocation(`${address}/${chart}`, policy, plain)
}

/** Returns whether a URL names an artifact of an OCI registry, as Argo CD's generator `oci` does. */
export function isArtifactUrl(url: string): boolean {
  return url.trim().toLowerCase().startsWith(ociScheme)
}

/**
 * Reads where an artifact of an OCI registry is.
 * @param plain as for a chart
 * @throws InvalidInputError for an address that does not begin with `oci://`, that cannot be one, or that the policy refuses
 */
export function readArtifactLocation(repoUrl: string, policy: UrlPolicy, plain = false): ChartLocation {
  const text = repoUrl.trim().replace(/\/+$/, '')
  const address = text.slice(ociScheme.length)
  if (!isArtifactUrl(text) || address.includes('://') || address.includes('@')) {
    throw new InvalidInputError(
      `${JSON.stringify(redactUrl(repoUrl))} is not the address of an artifact; give oci://HOST/NAME`,
    )
  }
  return registryLocation(address, policy, plain)
}

function registryLocation(address: string, policy: UrlPolicy, plain: boolean): ChartLocation {
  const [host = '', ...path] = address.split('/')
  const name = path.join('/')
  if (name.length > 255 || !registryRepository.test(name)) {
    throw new InvalidInputError(
      `${JSON.stringify(name)} is not a repository of a registry; write it in lower case`,
    )
  }
  const baseUrl = `${plain || isPlain(host, policy) ? 'http' : 'https'}://${host}`
  parseRepositoryUrl(`${baseUrl}/v2`, policy)
  return { kind: 'oci', baseUrl, name }
}

/** Returns whether a revision names one manifest of a registry by its digest, as Argo CD and Helm accept it. */
export function isChartDigest(revision: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(revision)
}

/** Why a text cannot be the name of a chart, as the end of a sentence; undefined if it can. */
function chartNameError(name: string): string | undefined {
  if (chartName.test(name) && !name.includes('..')) return undefined
  return 'is not the name of a chart: letters, digits, ".", "_" and "-"'
}

/** A registry on this machine speaks http, as Docker and Helm have it; others only where every host may. */
function isPlain(host: string, { allowPlainHttp }: UrlPolicy): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  const isLocal = name === 'localhost' || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name)
  return allowPlainHttp !== 'never' && isLocal
}
