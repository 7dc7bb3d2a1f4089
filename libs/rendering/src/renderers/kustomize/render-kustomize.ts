import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { chartArgument } from '../helm/helm-arguments.ts'
import { checkChartSchemas } from '../helm/check-chart-schemas.ts'
import { helmOfKustomize } from './helm-of-kustomize.ts'
import { enableHelm } from './kustomize-charts.ts'
import { boundKustomizationAliases } from './bounded-aliases.ts'
import { editKustomization } from './kustomize-edit.ts'
import type { KustomizeBuild } from './kustomize-build.ts'
import type { RenderContext, RenderRun, ToolOutput } from '../../run/render-run.ts'
import { runRenderer } from '../../run/sandbox/run-renderer.ts'
import { shellCommand } from '@wadi/programs/shell-quote.ts'

/** The options that an operator may allow. The others start programs, open the network or write files. */
const allowedBuildOptions = new Set([
  enableHelm,
  '--load-restrictor=LoadRestrictionsNone',
  '--load-restrictor=LoadRestrictionsRootOnly',
])

/** Runs `kustomize build` or `kubectl kustomize`, after the edits that the options ask for. */
export async function buildKustomization(run: RenderRun, plan: KustomizeBuild): Promise<ToolOutput> {
  const { tools, policy } = run.context
  const { repository } = run.sandbox
  const textOf = (file: string): string | undefined => {
    const place = join(repository, file)
    return existsSync(place) ? readFileSync(place, 'utf8') : undefined
  }
  boundKustomizationAliases(textOf, plan)
  const edited = editKustomization(textOf(plan.file) ?? '', plan.file, plan.options)
  if (edited.commands.length > 0) run.sandbox.write(plan.file, edited.text)
  const refused = policy.kustomizeBuildOptions.find((option) => !allowedBuildOptions.has(option))
  if (refused !== undefined) {
    throw new InvalidInputError(
      `kustomize build option "${refused}" is never passed on; remove it from the policy`,
    )
  }
  if (plan.usesHelm) await checkChartSchemas(run)
  const { file, command, options } = kustomizeCommand(run.path, plan, run.context)
  const { kustomize } = tools
  const helm = plan.usesHelm ? helmOfKustomize(tools) : undefined
  const output = await runRenderer(run, {
    tools: plan.usesHelm ? [kustomize, tools.helm] : [kustomize],
    argv: [
      ...kustomize.command,
      ...(kustomize.standalone ? ['build'] : []),
      ...options,
      ...(helm ? ['--helm-command', helm.command] : []),
    ],
    ...(helm && { otherPrograms: helm.programs, environment: helm.environment }),
    shown: command,
    remedy: 'Correct the kustomization, the files it names or the options of the source.',
  })
  return { file, output, commands: [...edited.commands, command] }
}

/** The command that builds a kustomization, its arguments after the name of the command, and what its output is called. */
export function kustomizeCommand(
  path: string,
  { options: { kubeVersion, apiVersions = [] } }: KustomizeBuild,
  { tools, policy }: Pick<RenderContext, 'tools' | 'policy'>,
): { readonly command: string; readonly options: readonly string[]; readonly file: string } {
  const withHelm = policy.kustomizeBuildOptions.includes(enableHelm)
  const options = [
    chartArgument(path),
    ...policy.kustomizeBuildOptions,
    ...(withHelm && kubeVersion ? ['--helm-kube-version', kubeVersion] : []),
    ...(withHelm ? apiVersions.flatMap((version) => ['--helm-api-versions', version]) : []),
  ]
  const name = tools.kustomize.standalone ? ['kustomize', 'build'] : ['kubectl', 'kustomize']
  const file = `output of ${name.join(' ')} ${path || '.'}`
  return { command: shellCommand([...name, ...options]), options, file }
}
