import { type GoProgram, loadGoProgram } from '@wadi/gotemplate/go-program.ts'

/** An object as JSON, with what the discovery of the Kubernetes API says of its kind. */
export interface PolicyObject {
  readonly object: string
  /** The object that this one replaces; empty for none. */
  readonly former: string
  /** The plural of the kind. */
  readonly resource: string
  /** Empty for a kind without namespaces. */
  readonly namespace: string
  /** Of a policy, the scope of the kind of its parameters; default: that of the parameters that there are. */
  readonly paramsScope?: 'Namespaced' | 'Cluster'
}

/** Objects and the policies that judge them. */
export interface PolicyRequest {
  /** A list of objects as JSON: policies, bindings, and objects that policies take as parameters. Sets that come again stay compiled. */
  readonly policies: string
  readonly objects: readonly PolicyObject[]
  /** The namespaces that are known, as JSON. Another has only the label with its name. */
  readonly namespaces: readonly string[]
}

/** A judgement of objects. */
export interface PolicyJudgement {
  readonly invalid: readonly InvalidPolicy[]
  readonly verdicts: readonly PolicyVerdict[]
}

/** A part of a policy or binding that the API server would reject. */
interface InvalidPolicy {
  /** The position in the list of policies. */
  readonly policy: number
  /** The path of the field, such as `spec.validations[0].expression`; empty where it is not known. */
  readonly path: string
  readonly message: string
  /** True if the policy does not fail closed. */
  readonly isIgnored: boolean
}

/** The verdict of a policy against an object. */
export interface PolicyVerdict {
  /** The position in the list of objects. */
  readonly object: number
  readonly policy: string
  readonly action: 'Deny' | 'Warn' | 'Audit'
  readonly message: string
}

let program: Promise<GoProgram> | undefined

/**
 * Judges objects by policies as Kubernetes' API server does. The thread keeps the program and the policies that it compiled. Expressions
 * have the cost limits of Kubernetes, and memory is bounded to 512 MiB; time is not, so a caller judges in a thread that it can end.
 * @throws ResourceExhaustedError when it needs more memory, GoProgramError when the program ended, Error when it cannot be loaded
 */
export async function judgeByPolicies(request: PolicyRequest): Promise<PolicyJudgement> {
  const loaded = await (program ??= loadGoProgram('policies'))
  return JSON.parse(loaded.call('policies', request))
}
