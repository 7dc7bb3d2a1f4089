import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import type { PlanOptions } from '@wadi/zarf/plan/plan-package.ts'
import type { SandboxCommand } from '@wadi/zarf/actions/run-actions.ts'
import type { PlannedSource } from '../../plan/renderer.ts'
import type { PluginVariable } from '../plugin/plugins.ts'
import { pathWithin } from '@wadi/file-trees/repository-path.ts'
import { readRepositorySettings } from '../../source/repository-settings.ts'
import { settingsFile } from '../../source/repository-settings.ts'

/** Each is run twice and may take as long as the server lets it. */
const maxActions = 100

const noServer =
  'have a command server, which is missing: --command-server of repo-server (WADI_COMMAND_SERVER), or --run-actions on this machine'

/**
 * Returns the runner of actions for a package that asks for it: only if the repository allows it and there is a runner
 * that allows it too. An action may have read every file of the commit.
 */
export function packageActions({
  path,
  trace,
  inputs,
  commands,
  signal,
}: PlannedSource): Pick<PlanOptions, 'run' | 'howToRun'> {
  let started = 0
  return {
    howToRun: async () => {
      await inputs.add(settingsFile)
      const { allowsActions } = await readRepositorySettings(trace)
      const remedies = allowsActions ? [] : [`have "actions: allow" in ${settingsFile}, which is missing`]
      if (commands === undefined) remedies.push(noServer)
      const rejection = remedies.length === 0 ? await commands?.scriptsRefusedBecause(signal) : ''
      if (rejection) remedies.push(`have a command server that runs scripts: ${rejection}`)
      return remedies.length === 0 ? undefined : remedies.join(', and ')
    },
    ...(commands && {
      run: async (command) => {
        await inputs.addRepository()
        started += 1
        if (started > maxActions) {
          throw new InvalidInputError(
            `the package has more than ${maxActions} actions to run; let one set several values`,
          )
        }
        const label = `component "${command.component}" action "${command.label}"`
        return await withContext(
          label,
          () =>
            commands.runScript({
              tree: trace.untraced,
              directory: actionDirectory(path, command),
              script: command.cmd,
              variables: command.env.map(variable),
              timeLimitMs: command.maxTotalSeconds * 1000,
              signal,
            }),
          InvalidInputError,
        )
      },
    }),
  }
}

/** Returns the working directory of an action, from the root of the repository. */
function actionDirectory(path: string, { dir }: SandboxCommand): string {
  if (dir.startsWith('/')) {
    throw new InvalidInputError(
      `dir "${dir}" is a directory of the machine; name one from that of the package`,
    )
  }
  return pathWithin(path, dir, 'dir')
}

function variable(text: string): PluginVariable {
  const end = text.indexOf('=')
  return end === -1 ? { name: text, value: '' } : { name: text.slice(0, end), value: text.slice(end + 1) }
}
