import { appendFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { generateMonorepo, type MonorepoOptions } from './generate-monorepo.ts'
import type { MonorepoApplication } from './monorepo-application.ts'

/** Versions of the tools that git names, without a leading `v`. */
export interface NamedVersions {
  readonly helm: string
  readonly kustomize: string
}

/** Returns a generator of a monorepo in which every second chart and kustomization names other versions of its tool. */
export function generateTwoVersions({
  helm,
  kustomize,
}: NamedVersions): (options: MonorepoOptions) => Promise<MonorepoApplication[]> {
  return async (options) => {
    const applications = await generateMonorepo(options)
    const fileOf = (application: MonorepoApplication): string =>
      path.join(options.directory, application.path, '.argocd-source.yaml')
    const byKind = Object.groupBy(applications, ({ kind }) => kind)
    // Their files end with the options of Helm.
    for (const application of everySecond([...(byKind.helm ?? []), ...(byKind['third-party'] ?? [])]))
      await appendFile(fileOf(application), `  version: ${helm}\n`)
    for (const application of everySecond(byKind.kustomize ?? []))
      await writeFile(fileOf(application), `kustomize:\n  version: ${kustomize}\n`)
    return applications
  }
}

function everySecond(applications: readonly MonorepoApplication[]): MonorepoApplication[] {
  return applications.filter((_, index) => index % 2 === 0)
}
