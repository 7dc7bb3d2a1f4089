import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import type { Located } from '@wadi/params/values/value.ts'
import type {
  Blueprint,
  StampOwner,
  OwnerParam,
  Template,
  TemplateKind,
} from '../read/cartographer-objects.ts'
import type { RecordedOutputs } from './recorded-outputs.ts'
import type { StampBudget } from './stamp-budget.ts'
import type { YttRunner } from './stamp-template.ts'

/** The inputs of stamping an owner. */
export interface StampInput {
  owner: StampOwner
  blueprints: readonly Blueprint[]
  templates: readonly Template[]
  /** The outputs recorded in the `outputs.yaml` beside the owner; none by default. */
  recordedOutputs?: RecordedOutputs
  /** Trial parameters: they override the owner's own, as if it had them. None by default. */
  trialParams?: readonly OwnerParam[]
  /** Shared by owners that are stamped together; each has its own by default. */
  budget?: StampBudget
  /** Runs ytt; without it a template in ytt is an error. */
  runYtt?: YttRunner
}

/** An object that a template stamped. */
export interface StampedObject {
  /** The object. Values of tags name in `derivedFrom` what decided them. */
  located: Located
  /** The resource of the chain that it belongs to. */
  resource: string
  template: { kind: TemplateKind; name: string }
}

/** The result of stamping an owner. */
export interface Stamped {
  /** In the order of the chain's resources, without those that are not to be emitted. A `Render` is one like any other. */
  objects: readonly StampedObject[]
  /** Warnings about ignored input, and about things to check. */
  warnings: readonly string[]
  /** The parameters by the name of the resource, with what decided each. */
  params: ReadonlyMap<string, Resolution>
  blueprint: Blueprint
}
