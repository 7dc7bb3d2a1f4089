import { setImmediate as nextTurn } from 'node:timers/promises'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { isRecord } from '@wadi/resources/object-checks.ts'
import type { ApplicationSet } from '../application-set.ts'
import type { AppsetServiceContext } from '../context.ts'
import type { RunInputs } from '../inputs/run-inputs.ts'
import { ParameterBudget, parameterLimits } from '../params/parameter-budget.ts'
import { fastEngine, goEngine } from '../templates/text-engine.ts'
import type { GeneratorRun } from './generator-run.ts'
import { runChildGenerator } from './run-generator.ts'

/** Milliseconds of work between two turns of the event loop. */
const turnMs = 10

/** What the generators of one call work with; `signal` ends them. */
export async function startRun(
  set: ApplicationSet,
  {
    loadTemplates,
    store,
    pluginConfigMaps,
    forges,
    urlPolicy,
  }: Pick<AppsetServiceContext, 'loadTemplates' | 'store' | 'pluginConfigMaps' | 'forges' | 'urlPolicy'>,
  inputs: RunInputs,
  signal: AbortSignal,
): Promise<GeneratorRun> {
  const templates = set.goTemplate && (await loadTemplates())
  let turnBegan = performance.now()
  const run: GeneratorRun = {
    isGoTemplate: templates !== undefined,
    engine: templates && set.goTemplate ? goEngine(templates, set.goTemplate.missingKey) : fastEngine,
    strictEngine: templates ? goEngine(templates, 'error') : fastEngine,
    project: literalProject(set.template),
    inputs,
    store,
    namespace: set.namespace ?? controlPlaneNamespace,
    setName: set.name,
    urlPolicy,
    pluginConfigMaps,
    forges,
    budget: new ParameterBudget(parameterLimits),
    pace: async () => {
      if (performance.now() - turnBegan < turnMs) return
      await nextTurn()
      turnBegan = performance.now()
      signal.throwIfAborted()
    },
    row: undefined,
    child: (entry, row) => runChildGenerator(entry, { ...run, row }),
  }
  return run
}

/** The project of the template; none when it is rendered, as each Application may get another one. */
function literalProject({ spec }: Record<string, unknown>): string {
  const project = isRecord(spec) ? spec['project'] : undefined
  return typeof project === 'string' && !project.includes('{{') ? project : ''
}
