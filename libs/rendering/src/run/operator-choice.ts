import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { leftOutPaths } from '@wadi/plugins/left-out-paths.ts'
import { defaultRenderLimits } from './render-source.ts'
import type { RenderLimits } from './render-run.ts'
import type { FindToolsOptions } from '@wadi/renderer-tools/find-tools.ts'
import type { RenderPolicy } from '../source/source.ts'

/** The decisions of an operator about every render, as settings have them. */
interface OperatorSettings extends Omit<RenderPolicy, 'pluginTarExclude'> {
  readonly renderTimeout: number
  readonly maxManifestSize: number
  readonly pluginTarExclude: string
  readonly helm: string | undefined
  readonly kustomize: string | undefined
  readonly toolsDirectory: string | undefined
}

/** The decisions of an operator about every render, as renders take them. */
interface OperatorChoice {
  readonly policy: RenderPolicy
  readonly limits: RenderLimits
  readonly programs: Pick<FindToolsOptions, 'helm' | 'kustomize' | 'toolsDirectory'>
}

/**
 * Reads what an operator decided.
 * @throws InvalidInputError for a pattern of files that is none
 */
export function operatorChoice(settings: OperatorSettings): OperatorChoice {
  const { allowRemoteBases, allowRemoteCharts, kustomizeBuildOptions, helm, kustomize, toolsDirectory } =
    settings
  const pluginTarExclude = settings.pluginTarExclude.split(';').filter((pattern) => pattern !== '')
  try {
    leftOutPaths(pluginTarExclude)
  } catch (error) {
    throw new InvalidInputError(`--plugin-tar-exclude (WADI_PLUGIN_TAR_EXCLUDE): ${errorMessage(error)}`, {
      cause: error,
    })
  }
  return {
    policy: { allowRemoteBases, allowRemoteCharts, kustomizeBuildOptions, pluginTarExclude },
    limits: {
      ...defaultRenderLimits,
      timeoutMilliseconds: settings.renderTimeout,
      manifestBytes: settings.maxManifestSize,
    },
    programs: {
      ...(helm && { helm }),
      ...(kustomize && { kustomize }),
      ...(toolsDirectory && { toolsDirectory }),
    },
  }
}
