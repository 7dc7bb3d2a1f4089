import type { ParameterView } from '../../plan/parameter-view.ts'
import { type Plan, plainPlan } from '../../plan/plan.ts'
import { type PluginUse, useAtRevision } from './plugin-use.ts'
import { runPlugin } from './render-plugin.ts'

/** The plan of what a plugin renders. */
export function pluginPlan(use: PluginUse, inputs: readonly string[], parameters: ParameterView): Plan {
  const { name, identity } = use.plugin
  return {
    ...plainPlan,
    renderer: 'plugin',
    inputs,
    identity: `${name} ${identity}`,
    plugins: [use],
    policyOptions: use.call.leftOut ?? [],
    repeatability: {
      templates: [],
      isOpaque: true,
      remedy: `make plugin ${name} print the same for the same commit`,
    },
    parameters,
    // A plugin receives the revision, whether or not it is a part of what decides the result.
    atRevision: (revision) => pluginPlan(useAtRevision(use, revision), inputs, parameters),
    run: (tree, context) => runPlugin(tree, use, context),
  }
}
