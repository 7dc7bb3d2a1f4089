import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isGitCredentialName, isRunName } from './variable-names.ts'

/** A variable of an environment. */
export interface EnvironmentVariable {
  readonly name: string
  readonly value: string
}

/** The maximum size of one variable in Linux, its name and a closing byte included. */
const maxVariableBytes = 128 * 1024

/** The variables of a request, sorted by what they may do. */
export interface RequestVariables {
  /** The text of `ARGOCD_APP_PARAMETERS`; undefined when the source has no plugin stanza. */
  readonly parametersText: string | undefined
  /** `PARAM_…`, by name. */
  readonly prefixed: ReadonlyMap<string, string>
  /** Everything else that is accepted, by name. */
  readonly others: ReadonlyMap<string, string>
  /** Names that were left out, because they are not part of the protocol: they could replace or steer what the service runs. */
  readonly skipped: readonly string[]
}

/**
 * Reads the variables of a request, of which the last of a name applies. Only those of the protocol are accepted: whatever
 * else a caller names could replace a variable of the service or decide how programs run.
 * @param gitCredentials true if the plugin wants those of its repository
 * @throws InvalidInputError for a variable that no process can have
 */
export function readRequestVariables(
  request: readonly EnvironmentVariable[],
  gitCredentials: boolean,
): RequestVariables {
  const prefixed = new Map<string, string>()
  const others = new Map<string, string>()
  const skipped = new Set<string>()
  let parametersText: string | undefined
  for (const { name, value } of request) {
    if (name === '') continue
    checkVariable(name, value)
    if (name === 'ARGOCD_APP_PARAMETERS') parametersText = value
    else if (name.startsWith('PARAM_')) prefixed.set(name, value)
    else if (isRunName(name) || (gitCredentials && isGitCredentialName(name))) {
      others.set(name, bounded(name, value))
    } else skipped.add(name)
  }
  return { parametersText, prefixed, others, skipped: [...skipped] }
}

function checkVariable(name: string, value: string): void {
  if (name.includes('=') || name.includes('\0') || value.includes('\0')) {
    throw new InvalidInputError(`variable ${JSON.stringify(name)} has a "=" in its name or a NUL character`)
  }
}

function bounded(name: string, value: string): string {
  if (variableBytes(name, value) <= maxVariableBytes) return value
  throw new InvalidInputError(`variable ${name} is larger than 128 KiB, the most that a process can be given`)
}

/** Returns the size of a variable in an environment, in bytes. */
export function variableBytes(name: string, value: string): number {
  return Buffer.byteLength(name) + Buffer.byteLength(value) + 2
}
