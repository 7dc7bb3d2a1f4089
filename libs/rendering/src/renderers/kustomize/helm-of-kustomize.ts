import path from 'node:path'
import { FailedPreconditionError } from '@wadi/errors/domain-error.ts'
import gte from 'semver/functions/gte.js'
import major from 'semver/functions/major.js'
import { comparableVersion } from '@wadi/renderer-tools/tool-program.ts'
import type { Tools } from '@wadi/renderer-tools/find-tools.ts'

/** The first Kustomize that takes a Helm 4. */
const firstWithHelm4 = '5.8.1'
/** The newest major version of Helm that Kustomize is known to work with. */
const newestHelm = 4

/** Answers for a Helm 4 what older versions of Kustomize ask. */
const helm4ForOlder = path.join(import.meta.dirname, 'helm-for-kustomize.sh')

/** The command by which Kustomize starts Helm. */
interface HelmOfKustomize {
  readonly command: string
  /** All programs that are started then. */
  readonly programs: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** @throws FailedPreconditionError for a Helm that no Kustomize is known to work with */
export function assertKnownPair({ helm, kustomize }: Tools): void {
  if (major(comparableVersion(helm.version)) <= newestHelm) return
  throw new FailedPreconditionError(
    `Kustomize ${kustomize.version} cannot render charts with Helm ${helm.version}; choose a Helm ${newestHelm}, by tools.helm of wadi.yaml, or WADI_HELM of the operator`,
  )
}

/** Returns the command by which this Kustomize starts this Helm. */
export function helmOfKustomize({ helm, kustomize }: Tools): HelmOfKustomize {
  const [program = 'helm'] = helm.command
  if (major(comparableVersion(helm.version)) < 4 || gte(comparableVersion(kustomize.version), firstWithHelm4))
    return { command: program, programs: [program], environment: {} }
  return {
    command: helm4ForOlder,
    programs: [helm4ForOlder, program],
    environment: { WADI_HELM_OF_KUSTOMIZE: program },
  }
}
