import { create } from '@bufbuild/protobuf'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { type ParameterView, noParameters } from '../../plan/parameter-view.ts'
import { type Plan, plainOutput, plainPlan } from '../../plan/plan.ts'
import type { PlannedSource } from '../../plan/renderer.ts'
import type { GivenKustomization } from './given-kustomization.ts'

/** The plan of a kustomization. */
export function kustomizePlan(
  { tools, policy }: Pick<PlannedSource, 'tools' | 'policy'>,
  given: GivenKustomization,
  parameters: ParameterView = noParameters,
): Plan {
  const { version } = tools.kustomize
  const kustomize = { name: 'kustomize', version }
  const { usesHelm } = given.build
  const used = usesHelm ? [kustomize, { name: 'helm', version: tools.helm.version }] : [kustomize]
  return {
    ...plainPlan,
    renderer: 'kustomize',
    inputs: given.inputs,
    identity: usesHelm ? `${version} with helm ${tools.helm.version}` : version,
    tools: used,
    policyOptions: policy.kustomizeBuildOptions,
    warnings: given.build.warnings,
    mayMissInputs: true,
    // Charts of a kustomization come from anywhere.
    repeatability: { templates: [], isOpaque: usesHelm },
    parameters,
    findOrigins: async (tree, { manifests }) => {
      const { kustomizeOrigins } = await import('./kustomize-origins.ts')
      return kustomizeOrigins(tree, given.path, manifests)
    },
    run: async (tree, context) => {
      // Loaded on first use: many a plan is made only for its fingerprint.
      const { buildEitherWay } = await import('./build-either-way.ts')
      const { result, widened } = await buildEitherWay(tree, context, given)
      const { file, output, commands } = result
      return {
        ...plainOutput,
        result: { files: [{ file, text: output, jsonnet: false }] },
        record: create(RenderRecordSchema, { commands: [...commands], tools: used }),
        widened,
      }
    },
  }
}
