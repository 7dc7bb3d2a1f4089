import { cp, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { directoryApplications } from './directory-applications.ts'
import { inHouseApplications } from './in-house-applications.ts'
import { kustomizeApplications } from './kustomize-applications.ts'
import type { MonorepoApplication } from './monorepo-application.ts'
import { seededRandom } from '@wadi/testing/seeded-random.ts'
import { thirdPartyApplications } from './third-party-applications.ts'

/** The options of a generated repository. */
export interface MonorepoOptions {
  /** An empty or missing directory. */
  readonly directory: string
  /** The number of applications; at least 1. */
  readonly applications: number
  /** Equal seeds give equal bytes; 42 by default. */
  readonly seed?: number
}

/**
 * Writes a repository like those of larger companies: half of the applications in one in-house Helm chart, 28 % in
 * Kustomize, 15 % third-party charts with values per cluster, the rest plain directories. Files only, no git.
 */
export async function generateMonorepo(options: MonorepoOptions): Promise<MonorepoApplication[]> {
  const { directory } = options
  const { applications, files } = planMonorepo(options)
  await cp(path.join(import.meta.dirname, 'charts'), path.join(directory, 'charts'), { recursive: true })
  await writeFiles(directory, files)
  return applications
}

/**
 * Returns the contents of a repository except for the charts that all have, without writing it.
 * @internal
 */
export function planMonorepo({ applications: total, seed = 42 }: Omit<MonorepoOptions, 'directory'>): {
  applications: MonorepoApplication[]
  files: ReadonlyMap<string, string>
} {
  const inHouse = Math.ceil(total * 0.5)
  const kustomize = Math.floor(total * 0.28)
  const thirdParty = Math.floor(total * 0.15)
  const random = seededRandom(seed)
  const parts = [
    inHouseApplications(inHouse, random),
    kustomizeApplications(kustomize, random),
    thirdPartyApplications(thirdParty, random),
    directoryApplications(total - inHouse - kustomize - thirdParty, random),
  ]
  const files = new Map<string, string>([['README.md', readme(total)]])
  for (const part of parts) for (const [file, content] of part.files) files.set(file, content)
  return { applications: parts.flatMap(({ applications }) => applications), files }
}

async function writeFiles(directory: string, files: ReadonlyMap<string, string>): Promise<void> {
  const directories = new Set([...files.keys()].map((file) => path.dirname(file)))
  await Promise.all([...directories].map((one) => mkdir(path.join(directory, one), { recursive: true })))
  await Promise.all([...files].map(([file, content]) => writeFile(path.join(directory, file), content)))
}

function readme(applications: number): string {
  return `# Deployments

${applications} applications: in-house services in \`apps\` and \`services\`, Kustomize in \`kustomize\`, the clusters' platforms in
\`platform\`, everything else in \`plain\`.

Edition 0
`
}
