import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { Severity, UnplacedFinding } from '@wadi/gates/finding.ts'

/** The programs of the operator that judge objects. */
export interface Validators {
  /** Identifies all of them, with their commands and the contents of their programs, on every machine alike; empty if there are none. */
  identity(): Promise<string>
  /** Identifies some of them in the same way. */
  identityOf(names: readonly string[]): Promise<string>
  /**
   * Gives objects to programs and returns what they find.
   * @param manifests JSON
   * @throws DomainError, whose message begins with the gate and the name, for a program that does not judge: that is unknown or cannot be started,
   * is above a limit of time, memory or output, or ends with an error
   */
  check(
    manifests: readonly string[],
    programs: { readonly names: readonly string[]; readonly severity: Severity },
    signal: AbortSignal,
  ): Promise<UnplacedFinding[]>
}

/** No programs: a gate that names one is an error. */
export const noValidators: Validators = {
  identity: async () => '',
  identityOf: async () => '',
  check: async (_manifests, { names }) => {
    if (names.length === 0) return []
    const gate = `gate programs/${names.join(', ')}`
    throw new InvalidInputError(
      `${gate}: repo-server has no WADI_VALIDATORS, the file that says how programs are run`,
    )
  },
}
