import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { MonorepoApplication, MonorepoKind } from './monorepo-application.ts'

/**
 * Sets the version of one application to one made from `n`, as a release does; no other application is affected.
 * @returns the path of the changed file
 */
export async function changeOneApplication(
  directory: string,
  application: MonorepoApplication,
  n: number,
): Promise<string> {
  const file = versionFile(application)
  await replaceIn(path.join(directory, file), /((?:tag|newTag|revision)(?:: | = ))"[^"]*"/, `$1"9.0.${n}"`)
  return file
}

/**
 * Sets the edition that the repository's README names; no application is affected.
 * @returns the path of the changed file
 */
export async function changeReadmeOnly(directory: string, n: number): Promise<string> {
  await replaceIn(path.join(directory, 'README.md'), /^Edition .*$/m, `Edition ${n}`)
  return 'README.md'
}

/**
 * Changes the templates of the in-house chart, and so what every application in it renders.
 * @returns the path of the changed file
 */
export async function changeInHouseChart(directory: string, n: number): Promise<string> {
  const file = 'charts/microservice/templates/_helpers.tpl'
  await replaceIn(
    path.join(directory, file),
    /(?:example\.com\/release: .*\n)?helm\.sh\/chart:/,
    `example.com/release: r${n}\nhelm.sh/chart:`,
  )
  return file
}

/** The file that holds an application's version, and nothing of any other application. */
function versionFile({ kind, path: dryPath }: MonorepoApplication): string {
  const [, environment, service] = dryPath.split('/')
  const files: Record<MonorepoKind, string> = {
    helm: `services/${service}/values-${environment}.yaml`,
    kustomize: `${dryPath}/kustomization.yaml`,
    'third-party': `${dryPath}/values.yaml`,
    jsonnet: `${dryPath}/main.jsonnet`,
    directory: dryPath.endsWith('-0001') ? `${dryPath}/all.yaml` : `${dryPath}/00-settings.yaml`,
  }
  return files[kind]
}

async function replaceIn(file: string, pattern: RegExp, replacement: string): Promise<void> {
  await writeFile(file, (await readFile(file, 'utf8')).replace(pattern, replacement))
}
