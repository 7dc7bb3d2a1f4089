import type { ParameterView } from '../plan/parameter-view.ts'
import { type Plan, type Tool, plainPlan } from '../plan/plan.ts'
import { type CompositeSource, partPlans } from './composite-source.ts'
import { runParts } from './run-parts.ts'

/** The plan of a source that is made of several. */
export function compositePlan(
  source: CompositeSource,
  more: Pick<Plan, 'renderer' | 'inputs' | 'seesNamespace'> & { readonly parameters: CompositeParameters },
): Plan {
  const plans = partPlans(source.parts)
  const tools = toolsOf(plans)
  const repeatability = plans.flatMap((plan) => plan.repeatability ?? [])
  const hasRevision = plans.some(({ atRevision }) => atRevision !== undefined)
  return {
    ...plainPlan,
    ...more,
    identity: tools.map(({ name, version }) => `${name} ${version}`).join(' '),
    tools,
    plugins: plans.flatMap(({ plugins }) => plugins),
    policyOptions: [...new Set(plans.flatMap(({ policyOptions }) => policyOptions))],
    digest: source.digest,
    mayMissInputs: true,
    takesTrialValues: true,
    warnings: source.warnings,
    repeatability: {
      templates: repeatability.flatMap(({ templates }) => templates),
      isOpaque: repeatability.some(({ isOpaque }) => isOpaque),
    },
    composite: source,
    parameters: {
      ...more.parameters,
      explain: async () => source.parameters,
      decided: async () => source.parameters,
    },
    ...(hasRevision && {
      atRevision: (revision) => compositePlan(sourceAtRevision(source, revision), more),
    }),
    run: (tree, context) => runParts(source, tools, tree, context),
  }
}

/** The parameters of a composite source that users see and may change. */
export type CompositeParameters = Pick<ParameterView, 'describe' | 'edit'>

/** The tools that parts are rendered with, sorted by name, and then the plugins. */
function toolsOf(plans: readonly Plan[]): Tool[] {
  const tools = new Map(plans.flatMap((plan) => plan.tools).map(({ name, version }) => [name, version]))
  const plugins = new Map(
    plans
      .flatMap((plan) => plan.plugins)
      .map(({ plugin: { name, identity } }) => [`plugin ${name}`, identity]),
  )
  const sorted = [...tools].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [...sorted, ...plugins].map(([name, version]) => ({ name, version }))
}

function sourceAtRevision(source: CompositeSource, revision: string): CompositeSource {
  const parts = source.parts.map((part) =>
    'plan' in part ? { ...part, plan: part.plan.atRevision?.(revision) ?? part.plan } : part,
  )
  return { ...source, parts }
}
