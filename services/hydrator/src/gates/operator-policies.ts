import { createHash } from 'node:crypto'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { operatorPoliciesConfigMap } from '@wadi/hydration/operator-policies.ts'
import { wantsFormer } from '@wadi/gates/policies/wants-former.ts'
import { byKey } from '@wadi/order/by-name.ts'
import { LRUCache } from 'lru-cache'

/** A file with policies of the operator; its text is elsewhere. */
export interface PolicyFileFacts {
  readonly file: string
  /** Equal for equal texts alone. */
  readonly digest: string
  /** True if its policies may judge objects by those that they replace. */
  readonly wantsFormer: boolean
}

/** Some of the files. */
export interface ChosenPolicies {
  /** Equal for equal files alone. */
  readonly id: string
  /** As messages name them. */
  readonly files: readonly string[]
  readonly wantsFormer: boolean
}

/** Bytes of policies that are sent together. */
export const maxPolicyBytes = 4 * 1024 * 1024

const known = new LRUCache<string, Omit<PolicyFileFacts, 'file'>>({ max: 200 })

/**
 * Returns the facts of the files in the operator's ConfigMap of policies, by name.
 * @param data that of the ConfigMap
 * @throws InvalidInputError for a file that is not YAML, or above 4 MiB
 */
export function policyFileFacts(data: Readonly<Record<string, string>>): readonly PolicyFileFacts[] {
  const files = Object.entries(data).toSorted(byKey)
  const bytes = files.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0)
  if (bytes > maxPolicyBytes)
    throw new InvalidInputError(
      `${operatorPoliciesConfigMap} has more than ${maxPolicyBytes} bytes; shorten it`,
    )
  return files.map(([file, text]) => {
    const facts = known.get(text) ?? {
      digest: digestOf(text),
      wantsFormer: wantsFormer([{ file: placeOf(file), text }]),
    }
    known.set(text, facts)
    return { file, ...facts }
  })
}

/** Returns the name of a file in messages. */
export function placeOf(file: string): string {
  return `${operatorPoliciesConfigMap}/${file}`
}

/** Returns the files together. */
export function chosenPolicies(facts: readonly PolicyFileFacts[]): ChosenPolicies {
  return {
    id: digestOf(JSON.stringify(facts.map(({ file, digest }) => [file, digest]))),
    files: facts.map(({ file }) => placeOf(file)),
    wantsFormer: facts.some((one) => one.wantsFormer),
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
