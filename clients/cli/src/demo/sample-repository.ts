import { cp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** One application of the sample repository, with everything that an Application object needs. */
export interface SampleApplication {
  /** `prod-east` */
  readonly name: string
  /** Dry directory: `environments/prod/east`. */
  readonly path: string
  /** Hydrated branch: `environments/prod`. */
  readonly branch: string
  /** Directory on the hydrated branch: `east`. */
  readonly syncPath: string
  /** Namespace that the manifests are meant for. */
  readonly namespace: string
}

/** A change to the dry repository. */
export interface SampleChange {
  /** The changed file, relative to the repository. */
  readonly path: string
  /** The change as the subject of a commit. */
  readonly what: string
}

const environments = ['dev', 'test', 'prod']
const regions = [
  { region: 'east', namespace: 'storefront' },
  { region: 'west', namespace: 'orders' },
  { region: 'platform', namespace: 'default' },
]

/** The workload of the example of a supply chain, which is a part of the repository. */
const shop = {
  name: 'prod-shop',
  path: 'apps/shop/prod',
  branch: 'environments/prod',
  syncPath: 'shop',
  namespace: 'web',
}

/**
 * Writes a small dry repository into an empty directory: three environments, each with a Helm chart in its eastern region,
 * a Kustomize overlay in its western one and plain YAML for both, and the example of a supply chain with its workload.
 * Files only, no git.
 */
export async function writeSampleRepository(directory: string): Promise<SampleApplication[]> {
  await cp(path.join(import.meta.dirname, 'sample'), directory, { recursive: true })
  const example = path.join(import.meta.dirname, '../../../../examples/supply-chain')
  await cp(example, directory, { recursive: true })
  const applications = environments.flatMap((environment) =>
    regions.map(({ region, namespace }) => ({
      name: `${environment}-${region}`,
      path: `environments/${environment}/${region}`,
      branch: `environments/${environment}`,
      syncPath: region,
      namespace,
    })),
  )
  return [...applications, shop]
}

/** Rolls the next patch version of the storefront out to the eastern region of production; nothing else is affected. */
export async function touchOneRegion(directory: string): Promise<SampleChange> {
  const values = 'environments/prod/east/values.yaml'
  const file = path.join(directory, values)
  let version = ''
  const changed = (await readFile(file, 'utf8')).replace(
    /(tag: "\d+\.\d+\.)(\d+)"/,
    (_match, start: string, patch: string) => {
      const tag = `${start}${Number(patch) + 1}"`
      version = tag.slice('tag: "'.length, -1)
      return tag
    },
  )
  await writeFile(file, changed)
  return { path: values, what: `Roll storefront ${version} out to prod east` }
}
