import { defaultRenderLimits } from './render-source.ts'
import type { RenderLimits } from './render-run.ts'
import type { FindToolsOptions } from './sandbox/find-tools.ts'
import type { RenderPolicy } from './source.ts'

/** The decisions of an operator about every render, as settings have them. */
interface OperatorSettings extends RenderPolicy {
  readonly renderTimeout: number
  readonly maxManifestSize: number
  readonly helm: string | undefined
  readonly kustomize: string | undefined
}

/** The decisions of an operator about every render, as renders take them. */
interface OperatorChoice {
  readonly policy: RenderPolicy
  readonly limits: RenderLimits
  readonly programs: Pick<FindToolsOptions, 'helm' | 'kustomize'>
}

/** Reads what an operator decided. */
export function operatorChoice(settings: OperatorSettings): OperatorChoice {
  const { allowRemoteBases, allowRemoteCharts, kustomizeBuildOptions, helm, kustomize } = settings
  return {
    policy: { allowRemoteBases, allowRemoteCharts, kustomizeBuildOptions },
    limits: {
      ...defaultRenderLimits,
      timeoutMilliseconds: settings.renderTimeout,
      manifestBytes: settings.maxManifestSize,
    },
    programs: { ...(helm && { helm }), ...(kustomize && { kustomize }) },
  }
}
