import type { JsonObject } from '@bufbuild/protobuf'
import type { Command } from 'commander'
import { CommandFailure } from '../command-line/command-failure.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { printable } from '../output/printable.ts'
import { addSpecFlags } from '../projects/project-flags.ts'
import type { SpecFlags } from '../projects/project-spec.ts'
import { printWarnings } from '../applications/stored-warnings.ts'

interface CreateFlags extends SpecFlags {
  file?: string
  upsert?: boolean
}

/** Adds `proj create`. */
export function addProjectCreateCommand(proj: Command, session: CommandSession): void {
  const command = addSpecFlags(
    proj.command('create').argument('[project]', 'project (default: the name in --file)'),
  )
    .option('-f, --file <file>', 'file or URL with the project, - for standard input; other flags change it')
    .option('--upsert', 'replace an existing project that differs')
    .action((name: string | undefined, flags: CreateFlags) => createProject(session, command, name, flags))
  explain(command, 'Create a project.', [
    'wadi proj create dev --src https://git.example.com/deploy.git --dest https://kubernetes.default.svc,dev',
    'wadi proj create -f dev-project.yaml --upsert',
  ])
}

async function createProject(
  session: CommandSession,
  command: Command,
  name: string | undefined,
  flags: CreateFlags,
): Promise<void> {
  if (name === undefined && flags.file === undefined) {
    command.error('error: give the name of the project, or --file')
  }
  const { withSpecFlags } = await import('../projects/project-spec.ts')
  const base = flags.file === undefined ? {} : await readProjectFile(session, flags.file)
  const metadata = objectAt(base, 'metadata')
  const written = textAt(metadata, 'name')
  if (name !== undefined && written !== '' && written !== name) {
    throw new CommandFailure(
      `${flags.file} holds the project '${printable(written)}', not '${printable(name)}'; leave one of the names out`,
    )
  }
  const project = {
    ...base,
    metadata: { ...metadata, name: name ?? written },
    spec: withSpecFlags(objectAt(base, 'spec'), flags),
  }
  const { projects } = await session.connect('projects')
  const { outcome, warnings } = await projects.createProject(
    { project, upsert: flags.upsert ?? false },
    { signal: session.signal },
  )
  process.stdout.write(`project '${printable(name ?? written)}' ${printable(outcome)}\n`)
  printWarnings(warnings)
}

async function readProjectFile(session: CommandSession, file: string): Promise<JsonObject> {
  const { readObjects } = await import('../objects/object-input.ts')
  const objects = await readObjects([file], { recursive: false, signal: session.signal })
  const [only] = objects
  if (!only || objects.length > 1) throw new CommandFailure(`${file} must hold one project`)
  const kind = textAt(only.object, 'kind')
  if (kind === 'AppProject') return only.object
  throw new CommandFailure(`${only.origin}: kind is ${JSON.stringify(kind)}; a project is an AppProject`)
}
