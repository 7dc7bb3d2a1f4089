import type { Location } from '@wadi/errors/location.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import type { Severity } from './finding.ts'

/** A finding of a gate before its severity and place are known. */
export interface Violation {
  /** The rule within the gate, for example `github`. */
  readonly rule: string
  /** The path of the field in the object. */
  readonly field: string
  /** One sentence without the value: what is wrong and what to do. */
  readonly message: string
  /** The forms in which the value may be written in a source file. Secret: for the search of the place, never shown. */
  readonly written: readonly string[]
  /** Its own severity, which applies if that of the gate is not milder; default: that of the gate. */
  readonly severity?: Severity
}

/** A violation in what a gate itself is set up with. */
export interface SettingsViolation extends Violation {
  readonly object: Manifest
  /** The place in the repository; undefined for what the operator has written. */
  readonly at: Location | undefined
}

/** A file with policies, bindings and their parameters. */
export interface PolicyFile {
  /** The path in the repository, or another name for messages. */
  readonly file: string
  /** YAML or JSON. */
  readonly text: string
}

/** The cluster that objects are for. */
export interface Cluster {
  /** The minor version of Kubernetes 1. */
  readonly minorVersion: number
}

/** The facts that gates have besides the objects. */
export interface GateContext {
  readonly cluster: Cluster
  /** The CustomResourceDefinitions that are known besides those among the objects; each the same value in every check, so that it is read once. */
  readonly definitions?: readonly Manifest[]
  /** Those of the repository; default: none. */
  readonly policies?: readonly PolicyFile[]
  /** Those of the operator, which nothing of the repository changes; default: none. */
  readonly operatorPolicies?: readonly PolicyFile[]
  /** Those of the cluster that the objects are for, which nothing of the repository changes either; default: none. */
  readonly clusterPolicies?: readonly PolicyFile[]
  /** The names of the operator's programs; absent where none runs. */
  readonly programs?: readonly string[]
  /** The namespace of objects that name none; default: `default`. */
  readonly namespace?: string
  /** The objects that the objects replace; default: all objects are new. */
  readonly former?: readonly Manifest[]
}

/** A check of the objects that a source renders to. */
export interface Gate {
  /** The name in settings and the first part of its rules. */
  readonly name: string
  /** Returns the names of its rules. */
  rules(context: GateContext): readonly string[]
  /** Returns the violations of each object, in the order of the objects. */
  check(objects: readonly Manifest[], context: GateContext): Promise<readonly (readonly Violation[])[]>
  /** Returns what is wrong with the context itself; a gate without it has nothing to find there. */
  checkSettings?(context: GateContext): Promise<readonly SettingsViolation[]>
}
