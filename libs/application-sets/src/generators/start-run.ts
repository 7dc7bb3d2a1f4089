import { setImmediate as nextTurn } from 'node:timers/promises'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { TextsRequest } from '@wadi/engines/templates/render-texts.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { ApplicationSet } from '../application-set.ts'
import type { UrlPolicy } from '@wadi/git/remote/repository-url.ts'
import type { ForgeAccess } from '../forges/forge-access.ts'
import type { InputSources, GeneratorInputs } from '../inputs/run-inputs.ts'
import { ParameterBudget, parameterLimits } from '../params/parameter-budget.ts'
import { fastEngine, goEngine } from '../templates/text-engine.ts'
import type { TemplateWork } from '../templates/template-work.ts'
import type { GeneratorRun } from './generator-run.ts'
import { runChildGenerator } from './run-generator.ts'

/** The dependencies of generators, in addition to their inputs. */
export interface RunSources {
  store: InputSources['store']
  /** Which addresses repositories may have at all. */
  urlPolicy: UrlPolicy
  /** The names of the ConfigMaps of those plugins that generators may ask. */
  pluginConfigMaps: readonly string[]
  /** Renders Go templates and bounds what they take. */
  templateWork: TemplateWork
  forges: ForgeAccess
}

/** Milliseconds of work between two turns of the event loop. */
const turnMs = 10

/** Returns the context of the generators of one call, for the account whose templates they are; `signal` ends them. */
export function startRun(
  set: ApplicationSet,
  { templateWork, store, pluginConfigMaps, forges, urlPolicy }: RunSources,
  { inputs, account, signal }: { inputs: GeneratorInputs; account: string; signal: AbortSignal },
): GeneratorRun {
  let turnBegan = performance.now()
  const budget = new ParameterBudget(parameterLimits)
  const work = templateWork.begin(account)
  const renderTexts = async (request: TextsRequest): Promise<string[]> => {
    const texts = await work.renderTexts(request, signal)
    for (const [index, text] of texts.entries()) budget.spend(text.length, request.texts[index]?.path ?? '')
    return texts
  }
  const run: GeneratorRun = {
    kind: '',
    isGoTemplate: set.goTemplate !== undefined,
    engine: set.goTemplate ? goEngine(renderTexts, set.goTemplate.missingKey) : fastEngine,
    strictEngine: set.goTemplate ? goEngine(renderTexts, 'error') : fastEngine,
    addParameterSet: () => work.addParameterSet(),
    project: literalProject(set.template),
    inputs,
    store,
    namespace: set.namespace ?? controlPlaneNamespace,
    setName: set.name,
    urlPolicy,
    pluginConfigMaps,
    forges,
    budget,
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
  const project = isJsonObject(spec) ? spec['project'] : undefined
  return typeof project === 'string' && !project.includes('{{') ? project : ''
}
