import { isChartDigest } from '@wadi/git/remote/chart-location.ts'
import { isRendered } from '@wadi/resources/application/dry-sources.ts'
import type { DirectoryFacts } from './hydrator-metadata.ts'

/** The source of a checkout. */
interface Checkout {
  repoURL: string
  chart?: string
  version?: string
  drySha: string
}

/** The commands of a shell that make a directory's manifests again. Sources whose files others read are cloned beside them as `$ref`. */
export function reproductionSteps(facts: DirectoryFacts): string[] {
  const { sources, commands } = facts
  if (sources === undefined) return [...checkout(facts), ...commands]
  const beside = sources.flatMap(({ ref, repoURL, drySha }) =>
    ref === undefined
      ? []
      : [`git clone ${repoURL} '$${ref}'`, `git -C '$${ref}' checkout ${drySha.slice(0, 7)}`],
  )
  const rendered = sources
    .filter(isRendered)
    .map((source, index) => [
      ...(index > 0 ? ['cd ..'] : []),
      ...checkout(source),
      ...(source.commands ?? []),
    ])
  return [...beside, ...rendered.flat()]
}

function checkout(source: Checkout): string[] {
  const { repoURL, chart, drySha } = source
  if (chart !== undefined) return [pullCommand(source), `cd ${chart}`]
  return [`git clone ${repoURL}`, `cd ${repositoryName(repoURL)}`, `git checkout ${drySha.slice(0, 7)}`]
}

/** Returns the command that downloads and unpacks a chart. */
export function pullCommand({ repoURL, chart = '', version = '' }: Omit<Checkout, 'drySha'>): string {
  if (/^https?:/iu.test(repoURL)) return `helm pull ${chart} --repo ${repoURL} --version ${version} --untar`
  const registry = repoURL.replace(/^oci:\/\//iu, '').replace(/\/+$/u, '')
  if (isChartDigest(version)) return `helm pull oci://${registry}/${chart}@${version} --untar`
  return `helm pull oci://${registry}/${chart} --version ${version} --untar`
}

/** The last part of a repository's URL, which `git clone` takes as the directory's name. */
export function repositoryName(repoUrl: string): string {
  const path = repoUrl.replace(/\/+$/u, '').replace(/\.git$/u, '')
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf(':')) + 1)
}
