import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { HandlerContext } from '@connectrpc/connect'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { reworded } from '@wadi/errors/reword.ts'
import type { RunYttRequest } from '@wadi/protocol/gen/wadi/cmp_server/v1/command_service_pb.ts'
import { yttEnvironment } from '../commands/ytt.ts'
import type { CmpServerContext } from '../context.ts'
import { reported, withoutDirectory } from '../run/plugin-run.ts'
import { runCommand } from '../run/run-command.ts'

/**
 * Fills in a template of ytt. Template and data values are files, as an argument is limited in size and seen by others;
 * ytt itself reads nothing else and opens no connection.
 */
export function runYtt(context: CmpServerContext) {
  return async ({ template, values }: RunYttRequest, { signal }: HandlerContext) => {
    const { file, absentBecause } = context.ytt
    if (file === '') {
      throw new FailedPreconditionError(
        `${absentBecause}; put ytt there, or write the template in spec.template instead of spec.ytt`,
      )
    }
    const valuesText = dataValues(values)
    await using directory = context.runs.open()
    const cwd = path.join(directory.path, 'ytt')
    const clean = (text: string) => withoutDirectory(withoutDirectory(text, cwd), directory.path)
    const slot = await context.slots.take(signal)
    try {
      await mkdir(cwd, { mode: 0o700 })
      await writeFile(path.join(cwd, 'template.yaml'), template, { mode: 0o600 })
      await writeFile(path.join(directory.path, 'values.yaml'), valuesText, { mode: 0o600 })
      const { text } = await reported(context, 'ytt', () =>
        runCommand([file, '-f', 'template.yaml', '--data-values-file', '../values.yaml'], {
          ...context.commands,
          cwd,
          runDirectory: directory.path,
          environment: yttEnvironment(context.programDirectories, cwd),
          programDirectories: context.programDirectories,
          signal,
          clean,
          shownAs: 'ytt',
          isVerbatim: true,
          isolation: {
            view: 'program',
            directory: directory.path,
            network: false,
            trialArguments: ['version'],
          },
        }),
      )
      return { output: text }
    } catch (error) {
      throw reworded(error, clean)
    } finally {
      slot.giveBack()
    }
  }
}

/** One document, JSON being YAML. */
function dataValues(values: RunYttRequest['values']): string {
  const members = Object.entries(values).map(([name, text]) => {
    try {
      JSON.parse(text)
    } catch (cause) {
      throw new InvalidInputError(`data value ${JSON.stringify(name.slice(0, 300))} is not valid JSON`, {
        cause,
      })
    }
    return `${JSON.stringify(name)}: ${text}`
  })
  return `{${members.join(', ')}}\n`
}
