import { join } from 'node:path'
import type { Command } from 'commander'
import type { Protection } from '@wadi/containment/protection.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { showExamples } from '../command-line/command-help.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { outputOption } from '../output/output-option.ts'

interface DoctorFlags {
  output: 'wide' | 'json' | 'yaml'
  remote?: boolean
  kubeconfig?: string
  namespace?: string
  strict?: boolean
}

/** Defines `doctor`. */
export function defineDoctorCommand(command: Command, session: CommandSession): void {
  command
    .addOption(outputOption('wide', 'json', 'yaml'))
    .option('--remote', 'check the server, its services and the credentials of its repositories instead')
    .option(
      '--kubeconfig <file>',
      'check what the cluster of a kubeconfig knows of the installation instead, also where no service answers',
    )
    .option(
      '--namespace <name>',
      "namespace of Wadi in the cluster (default: that of the kubeconfig's context)",
    )
    .option('--strict', 'exit with 1 if there is an error or a warning')
    .action((flags: DoctorFlags) => {
      if (flags.remote && flags.kubeconfig !== undefined) {
        throw new CommandFailure('give either --remote or --kubeconfig')
      }
      if (flags.kubeconfig !== undefined) return showCluster(session, flags.kubeconfig, flags)
      return flags.remote ? showServer(session, flags) : showMachine(session, flags)
    })
  showExamples(
    command,
    'wadi doctor',
    'wadi doctor -o json',
    'wadi doctor --remote --strict',
    'wadi doctor --kubeconfig ~/.kube/config --namespace wadi',
    'WADI_RENDER_MEMORY=4GiB wadi doctor',
  )
  command.addHelpText(
    'after',
    '\nBelow the findings are the programs that render or the services, and how renderers are contained: each protection, whether it is active, and how to enable it. Nothing is changed, in repositories neither. Only those who may read the settings of a server may check it.',
  )
}

async function showMachine(session: CommandSession, { output, strict }: DoctorFlags): Promise<void> {
  const { findingText, isAnythingWrong } = await import('../doctor/finding-output.ts')
  const { diagnoseMachine } = await import('../doctor/local-findings.ts')
  const protections = await findProtections(session.environment)
  const { findings, renderers, notes } = await diagnoseMachine(session.environment)
  if (strict && isAnythingWrong(findings)) process.exitCode = 1
  if (output !== 'wide') {
    const { structuredText } = await import('../output/structured-output.ts')
    const shown = findings.map((finding) => ({ ...finding }))
    const tools = renderers.map((renderer) => ({ ...renderer }))
    process.stdout.write(structuredText({ findings: shown, protections, renderers: tools, notes }, output))
    return
  }
  const { printable } = await import('../output/printable.ts')
  const { tableText } = await import('../output/table.ts')
  const rows = renderers.map(({ name, version, program, used }) => [name, version, program, used])
  process.stdout.write(`${findingText(findings)}\n`)
  process.stdout.write(await protectionText(protections))
  process.stdout.write(`\n${tableText(['RENDERER', 'VERSION', 'PROGRAM', 'USED'], rows)}`)
  process.stdout.write(notes.map((note) => `\n${printable(note)}\n`).join(''))
}

async function findProtections(environment: NodeJS.ProcessEnv) {
  const { openContainment } = await import('@wadi/containment/containment.ts')
  const { pathDirectories } = await import('@wadi/containment/find-program.ts')
  const { openOwnedDirectory } = await import('@wadi/containment/owned-directory.ts')
  const { containmentSettings } = await import('@wadi/rpc/containment-settings.ts')
  const { readSettings } = await import('@wadi/rpc/service-settings.ts')
  const { renderMemory } = readSettings(containmentSettings, { env: environment, argv: [] })
  await using scratch = await openOwnedDirectory('wadi-render-')
  await using containment = await openContainment({
    directory: join(scratch.path, 'containment'),
    memoryBytes: renderMemory,
    programDirectories: pathDirectories(environment['PATH']),
    hidden: [],
    warn: () => undefined,
  })
  return containment.protections.map((protection) => ({ ...protection }))
}

async function showServer(session: CommandSession, { output, strict }: DoctorFlags): Promise<void> {
  const { findingText, isAnythingWrong } = await import('../doctor/finding-output.ts')
  const { diagnoseServer } = await import('../doctor/server-diagnosis.ts')
  const { answer, findings } = await diagnoseServer(session, { details: false })
  if (strict && isAnythingWrong(findings)) process.exitCode = 1
  if (output !== 'wide') {
    const { structuredText } = await import('../output/structured-output.ts')
    const { diagnosisObject } = await import('../doctor/diagnosis-object.ts')
    process.stdout.write(structuredText(diagnosisObject({ answer, findings }), output))
    return
  }
  const { tableText } = await import('../output/table.ts')
  const rows = answer.services.map(({ service, host, version, startedAt, disks }) => [
    service,
    host,
    version,
    startedAt,
    disks.map(({ directory, freeBytes }) => `${freeBytes / 1024n ** 2n} MiB at ${directory}`).join(', '),
  ])
  process.stdout.write(`${findingText(findings)}\n`)
  process.stdout.write(`${tableText(['SERVICE', 'HOST', 'VERSION', 'STARTED', 'FREE'], rows)}\n`)
  process.stdout.write(await protectionText(answer.protections))
}

async function showCluster(
  session: CommandSession,
  kubeconfig: string,
  { namespace, output, strict }: DoctorFlags,
): Promise<void> {
  const { findingText, isAnythingWrong, sortedFindings } = await import('../doctor/finding-output.ts')
  const { diagnoseCluster } = await import('../doctor/cluster/diagnose-cluster.ts')
  const found = await diagnoseCluster(kubeconfig, namespace, session.environment, session.signal)
  const findings = sortedFindings(found.map((finding) => ({ ...finding })))
  if (strict && isAnythingWrong(findings)) process.exitCode = 1
  if (output === 'wide') {
    process.stdout.write(findingText(findings))
    return
  }
  const { structuredText } = await import('../output/structured-output.ts')
  process.stdout.write(structuredText({ findings: findings.map((finding) => ({ ...finding })) }, output))
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
