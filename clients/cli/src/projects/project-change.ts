import type { JsonObject } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { objectAt } from '@wadi/fields/json-fields.ts'
import { printWarnings } from '../applications/stored-warnings.ts'

/** Makes a new spec of the stored one; undefined when nothing has to change. */
export type SpecChange = (spec: JsonObject) => JsonObject | undefined

const maxAttempts = 10

/**
 * Changes the spec of a project as it is now: when somebody else was faster it is read and changed again.
 * @returns true if it was changed
 * @throws the error of `change`
 */
export async function changeProject(
  session: CommandSession,
  name: string,
  change: SpecChange,
): Promise<boolean> {
  const { projects } = await session.connect('projects')
  const { signal } = session
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const { project = {} } = await projects.getProject({ name }, { signal })
    const spec = change(objectAt(project, 'spec'))
    if (!spec) return false
    try {
      const { warnings } = await projects.updateProject({ project: { ...project, spec } }, { signal })
      printWarnings(warnings)
      return true
    } catch (error) {
      const { code } = ConnectError.from(error)
      // The project `default` comes to be with its first change.
      if (code !== Code.Aborted && code !== Code.AlreadyExists) throw error
    }
  }
  throw new CommandFailure(`project '${name}' is being changed by others; try again`)
}
