import gte from 'semver/functions/gte.js'
import parse from 'semver/functions/parse.js'
import type { ProgramVersions } from './program-versions.ts'
import { comparableVersion, type ToolProgram, type VersionQuestion } from './tool-program.ts'

/** A program that can be used, or the reason why it cannot. */
type Judged =
  | {
      readonly found: { readonly version: string; readonly program: ToolProgram }
      readonly reason?: undefined
    }
  | { readonly found?: undefined; readonly reason: string }

const questions = {
  helm: { args: ['version', '--template', '{{.Version}}'], read: plainVersion },
  kustomize: { args: ['version'], read: plainVersion },
  kubectl: { args: ['version', '--client', '-o', 'json'], read: kubectlKustomizeVersion },
} as const satisfies Record<string, VersionQuestion>

/** Oldest versions whose options are all known to work. */
const oldest = { helm: '3.14.0', kustomize: '5.0.0', kubectl: '5.0.0' } as const

/**
 * Asks a program for its version; that of a kubectl is the version of its Kustomize.
 * @throws what `ProgramVersions.read` throws
 */
export async function usableProgram(
  tool: keyof typeof questions,
  path: string,
  versions: ProgramVersions,
): Promise<Judged> {
  const found = await versions.read(path, questions[tool])
  if (found !== undefined && gte(comparableVersion(found.version), oldest[tool])) return { found }
  const what = found === undefined ? 'does not report its version' : `has version ${found.version}`
  return { reason: `${tool} at ${path} ${what}; at least ${oldest[tool]} is needed` }
}

/** A build without the settings of a release may report no more than `v4.3`. */
function plainVersion(output: string): string | undefined {
  return /v\d+\.\d+[^\s}"]*/.exec(output)?.[0]
}

/** The Kustomize inside a kubectl; none for a dispatcher, which runs another kubectl depending on a cluster. */
function kubectlKustomizeVersion(output: string): string | undefined {
  const kubectl = /"gitVersion": "(.*?)"/.exec(output)?.[1] ?? ''
  if (parse(kubectl)?.prerelease.length !== 0) return undefined
  return /"kustomizeVersion": "(.*?)"/.exec(output)?.[1]
}
