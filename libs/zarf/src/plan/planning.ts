import type { Layer } from '@wadi/params/resolve/layer.ts'
import type { Resolution } from '@wadi/params/resolve/resolve.ts'
import type { ValueMap } from '@wadi/params/values/value.ts'
import type { Budget, Finding } from '../lint/finding.ts'
import type { PackageFiles } from '../definition/package-files.ts'
import type { PackageSchema } from '../values/package-values.ts'
import type { Preflight } from '../actions/preflight.ts'
import type { TemplateObjects } from '../templates/template-objects.ts'
import type { TemplateRunner } from '../templates/template-runner.ts'
import type { ResolvedVariables } from '../templates/variables.ts'
import type { ZarfPackage } from '../definition/zarf-package.ts'

/** A package while it is planned. Values that actions set become visible to everything after them. */
export interface Planning {
  readonly files: PackageFiles
  readonly runner: TemplateRunner
  readonly package: ZarfPackage
  readonly findings: Finding[]
  readonly schema: PackageSchema | undefined
  readonly state: ValueMap
  readonly constants: ResolvedVariables
  /** JSON of the parts that stay the same. */
  readonly fixed: Pick<TemplateObjects, 'constants' | 'state' | 'package'>
  readonly preflight: Preflight
  /** The number of parts of values that may still be mapped to charts. */
  readonly mapped: Budget
  /** True if defaults were used as the state of a cluster. */
  usesState: boolean
  variables: ResolvedVariables
  layers: readonly Layer[]
  values: Resolution
}
