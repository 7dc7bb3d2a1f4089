import { create } from '@bufbuild/protobuf'
import { RenderRecordSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { type ParameterView, noParameters } from '../plan/parameter-view.ts'
import { type Plan, plainOutput, plainPlan } from '../plan/plan.ts'
import type { PlannedSource } from '../plan/renderer.ts'
import { runSandboxed } from '../sandbox/sandboxed-run.ts'
import type { KustomizeBuild } from './kustomize-build.ts'
import { buildKustomization } from './render-kustomize.ts'

/** A kustomization with its build. */
interface GivenKustomization {
  /** The directory, from the repository's root. */
  readonly path: string
  readonly build: KustomizeBuild
  readonly inputs: readonly string[]
}

/** The plan of a kustomization. */
export function kustomizePlan(
  { tools, policy }: Pick<PlannedSource, 'tools' | 'policy'>,
  { path, build, inputs }: GivenKustomization,
  parameters: ParameterView = noParameters,
): Plan {
  const { version } = tools.kustomize
  const kustomize = { name: 'kustomize', version }
  const isWithHelm = policy.kustomizeBuildOptions.includes('--enable-helm')
  const used = isWithHelm ? [kustomize, { name: 'helm', version: tools.helm.version }] : [kustomize]
  return {
    ...plainPlan,
    renderer: 'kustomize',
    inputs,
    identity: version,
    tools: [kustomize],
    policyOptions: policy.kustomizeBuildOptions,
    mayMissInputs: true,
    // Charts of a kustomization come from anywhere.
    repeatability: { templates: [], isOpaque: isWithHelm },
    parameters,
    run: async (tree, context) => {
      const { result, widened } = await runSandboxed(tree, context, {
        path,
        inputs,
        network: context.policy.allowRemoteBases,
        render: (run) => buildKustomization(run, build),
      })
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
