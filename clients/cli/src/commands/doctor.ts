import { join } from 'node:path'
import type { Command } from 'commander'
import type { Protection } from '@wadi/containment/protection.ts'
import { explain } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { outputOption } from '../output/output-option.ts'

interface DoctorFlags {
  output: 'wide' | 'json' | 'yaml'
  remote?: boolean
}

/** Adds `doctor`. */
export function addDoctorCommand(program: Command, session: CommandSession): void {
  const command = program
    .command('doctor')
    .addOption(outputOption('wide', 'json', 'yaml'))
    .option('--remote', 'show the protections of the server instead, and the problems of its setup')
    .action((flags: DoctorFlags) => (flags.remote ? showServer(session, flags) : showProtections(flags)))
  explain(
    command,
    'Show how this machine contains the renderers, plugins and actions that wadi up runs: each protection, whether it is active, what provides it, and how to enable it; then the programs that render, with WADI_HELM and WADI_KUSTOMIZE, and what to know of them. The exit code is 0 even if protections are missing.',
    ['wadi doctor', 'wadi doctor -o json', 'wadi doctor --remote', 'WADI_RENDER_MEMORY=4GiB wadi doctor'],
  )
}

async function showProtections({ output }: DoctorFlags): Promise<void> {
  const { openContainment } = await import('@wadi/containment/containment.ts')
  const { pathDirectories } = await import('@wadi/containment/find-program.ts')
  const { openOwnedDirectory } = await import('@wadi/containment/owned-directory.ts')
  const { containmentSettings } = await import('@wadi/rpc/containment-settings.ts')
  const { readSettings } = await import('@wadi/rpc/service-settings.ts')
  const { renderMemory } = readSettings(containmentSettings, { env: process.env, argv: [] })
  await using scratch = await openOwnedDirectory('wadi-render-')
  await using containment = await openContainment({
    directory: join(scratch.path, 'containment'),
    memoryBytes: renderMemory,
    programDirectories: pathDirectories(process.env['PATH']),
    hidden: [],
    warn: () => undefined,
  })
  const protections = containment.protections.map((protection) => ({ ...protection }))
  const { renderers, notes } = await findRenderers()
  if (output !== 'wide') {
    const { structuredText } = await import('../output/structured-output.ts')
    process.stdout.write(structuredText({ protections, renderers, notes }, output))
    return
  }
  const { printable } = await import('../output/printable.ts')
  const { tableText } = await import('../output/table.ts')
  const rows = renderers.map(({ name, version, program, used }) => [name, version, program, used])
  process.stdout.write(await protectionText(protections))
  process.stdout.write(`\n${tableText(['RENDERER', 'VERSION', 'PROGRAM', 'USED'], rows)}`)
  process.stdout.write(notes.map((note) => `\n${printable(note)}\n`).join(''))
}

/** The programs that render here with the settings of this environment, and what to know of them. */
async function findRenderers() {
  const { errorMessage } = await import('@wadi/errors/domain-error.ts')
  const { fastVersions, slowTools } = await import('@wadi/engines/guard/fast-versions.ts')
  const { listTools } = await import('@wadi/renderer-tools/list-tools.ts')
  const { localChoice } = await import('../render/local-policy.ts')
  try {
    const { tools } = await localChoice(process.env)
    return {
      renderers: (await listTools(tools)).map((tool) => ({ ...tool })),
      notes: [...(tools.passedOver ?? []), fastVersions(tools), ...slowTools(tools)],
    }
  } catch (error) {
    return { renderers: [], notes: [errorMessage(error)] }
  }
}

async function showServer(session: CommandSession, { output }: DoctorFlags): Promise<void> {
  const { diagnostics } = await session.connect('diagnostics')
  const answer = await diagnostics.getDiagnostics({}, { signal: session.signal })
  if (output !== 'wide') {
    const { GetDiagnosticsResponseSchema } =
      await import('@wadi/protocol/gen/wadi/api_gateway/v1/diagnostics_service_pb.ts')
    const { messageObject } = await import('../output/message-output.ts')
    const { structuredText } = await import('../output/structured-output.ts')
    process.stdout.write(structuredText(messageObject(GetDiagnosticsResponseSchema, answer), output))
    return
  }
  const { tableText } = await import('../output/table.ts')
  const rows = answer.findings.map(({ severity, area, message }) => [severity, area, message])
  process.stdout.write(`${tableText(['SEVERITY', 'AREA', 'FINDING'], rows)}\n`)
  process.stdout.write(await protectionText(answer.protections))
}

type ShownProtection = Pick<Protection, 'active' | 'by' | 'lacks' | 'remedy'> & { name: string }

/** The protections as a table, and below it what to do about those that are missing. */
async function protectionText(protections: readonly ShownProtection[]): Promise<string> {
  const { printable } = await import('../output/printable.ts')
  const { tableText } = await import('../output/table.ts')
  const rows = protections.map(({ name, active, by, lacks }) => [name, active ? 'yes' : 'no', by || lacks])
  const remedies = Map.groupBy(
    protections.filter(({ remedy }) => remedy !== ''),
    ({ remedy }) => remedy,
  )
  const advice = Array.from(remedies, ([remedy, lacking]) => {
    const names = lacking.map(({ name }) => name).join(', ')
    return `\n${printable(`${names}: ${lacking[0]?.lacks ?? ''}`)}\n  ${printable(remedy)}\n`
  })
  return `${tableText(['PROTECTION', 'ACTIVE', 'BY, OR WHY NOT'], rows)}${advice.join('')}`
}
