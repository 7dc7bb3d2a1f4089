import { toolNames } from '@wadi/hydration/tool-versions.ts'
import type { ParameterView } from '../../plan/parameter-view.ts'
import { type Plan, type ToolVersion, plainPlan } from '../../plan/plan.ts'
import { type CompositeSource, partPlans, type PlanPart } from './composite-source.ts'
import { runParts, toolKey } from './run-parts.ts'

/** The plan of a source that is made of several. */
export function compositePlan(
  source: CompositeSource,
  more: Pick<Plan, 'renderer' | 'inputs' | 'seesNamespace'> & { readonly parameters: CompositeParameters },
): Plan {
  const plans = partPlans(source.parts)
  const tools = toolsOf(source.parts.filter((part) => 'plan' in part))
  const repeatability = plans.flatMap((plan) => plan.repeatability ?? [])
  const hasRevision = plans.some(({ atRevision }) => atRevision !== undefined)
  return {
    ...plainPlan,
    ...more,
    identity: identityOf(tools, plans),
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

/** The versions that decide the parts; where parts have different ones of a tool, which has which too. */
function identityOf(tools: readonly ToolVersion[], plans: readonly Plan[]): string {
  const plugins = new Map(
    plans
      .flatMap((plan) => plan.plugins)
      .map(({ plugin: { name, identity } }) => [`plugin ${name}`, identity]),
  )
  const versions = [
    ...tools.map(({ name, version }) => `${name} ${version}`),
    ...Array.from(plugins, (one) => one.join(' ')),
  ]
  const isOneOfEach = new Set(tools.map(({ name }) => name)).size === tools.length
  return `${versions.join(' ')}${isOneOfEach ? '' : `: ${plans.map(({ identity }) => identity).join(', ')}`}`
}

/**
 * The tools that parts are rendered with, sorted by name. Of several versions the one comes first that no part asks for: who renders again
 * takes it for what names none.
 */
function toolsOf(parts: readonly PlanPart[]): ToolVersion[] {
  const tools = new Map<string, ToolVersion>()
  for (const { plan, pins } of parts) {
    for (const tool of plan.tools) {
      const isAskedFor = toolNames.some((name) => name === tool.name && pins[name] !== undefined)
      tools.set(`${tool.name} ${isAskedFor ? 'asked for' : ''} ${tool.version}`, tool)
    }
  }
  const sorted = [...tools]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, tool]) => [toolKey(tool), tool] as const)
  // A key keeps the place at which it is set first.
  return [...new Map(sorted).values()]
}

function sourceAtRevision(source: CompositeSource, revision: string): CompositeSource {
  const parts = source.parts.map((part) =>
    'plan' in part ? { ...part, plan: part.plan.atRevision?.(revision) ?? part.plan } : part,
  )
  return { ...source, parts }
}
