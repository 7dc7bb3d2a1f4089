import { toolNames } from '@wadi/hydration/tool-versions.ts'
import type { ParameterView } from '../plan/parameter-view.ts'
import { type Plan, type Tool, plainPlan } from '../plan/plan.ts'
import { type CompositeSource, partPlans, type PlanPart } from './composite-source.ts'
import { runParts } from './run-parts.ts'

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
function identityOf(tools: readonly Tool[], plans: readonly Plan[]): string {
  const versions = tools.map(({ name, version }) => `${name} ${version}`).join(' ')
  const isOneOfEach = new Set(tools.map(({ name }) => name)).size === tools.length
  return isOneOfEach ? versions : `${versions}: ${plans.map(({ identity }) => identity).join(', ')}`
}

/**
 * The tools that parts are rendered with, sorted by name, and then the plugins. Of several versions the one comes first that no part asks for:
 * who renders again takes it for what names none.
 */
function toolsOf(parts: readonly PlanPart[]): Tool[] {
  const tools = new Map<string, Tool & { readonly isAskedFor: boolean }>()
  for (const { plan, pins } of parts) {
    for (const tool of plan.tools) {
      const isAskedFor = toolNames.some((name) => name === tool.name && pins[name] !== undefined)
      const key = `${tool.name} ${tool.version}`
      if (!isAskedFor || !tools.has(key)) tools.set(key, { ...tool, isAskedFor })
    }
  }
  const plugins = new Map(
    parts
      .flatMap(({ plan }) => plan.plugins)
      .map(({ plugin: { name, identity } }) => [`plugin ${name}`, identity]),
  )
  const order = ([key, { name, isAskedFor }]: readonly [
    string,
    { name: string; isAskedFor: boolean },
  ]): string => `${name} ${isAskedFor ? 1 : 0} ${key}`
  const sorted = [...tools].toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  return [...sorted.map(([, { name, version }]) => [name, version] as const), ...plugins].map(
    ([name, version]) => ({ name, version }),
  )
}

function sourceAtRevision(source: CompositeSource, revision: string): CompositeSource {
  const parts = source.parts.map((part) =>
    'plan' in part ? { ...part, plan: part.plan.atRevision?.(revision) ?? part.plan } : part,
  )
  return { ...source, parts }
}
